/** The variables by which a runner finds its supervisor. */
export const CONTROL_PATH = 'BALDUR_RUNNER_CONTROL'
export const CONTROL_NAME = 'BALDUR_RUNNER_NAME'

/** What a runner says: one JSON line each, over the socket at `BALDUR_RUNNER_CONTROL`. The supervisor answers each with a line feed. */
export type RunnerWord =
  /** Sent before the runner listens: it will report its readiness, so an open port alone does not mean ready. */
  | { readonly name: string; readonly say: 'setup' }
  | { readonly name: string; readonly say: 'ready' }
  | { readonly name: string; readonly say: 'failed'; readonly error: string }
