/** The variables by which a runner finds its supervisor. */
export const CONTROL_PATH = 'BALDUR_RUNNER_CONTROL'
export const CONTROL_NAME = 'BALDUR_RUNNER_NAME'

/** What a runner says: one JSON line each, over the socket at `BALDUR_RUNNER_CONTROL`. The supervisor answers each with a line feed. */
export type RunnerWord =
  /** Before it listens: it will say when it is ready, so that its open port is no sign. */
  | { readonly name: string; readonly say: 'setup' }
  | { readonly name: string; readonly say: 'ready' }
  | { readonly name: string; readonly say: 'failed'; readonly error: string }
