import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Phase } from '@baldur/health-core'
import type { DrainableServer } from './options.ts'
import type { Durations } from './plan/defaults.ts'

/** How a drain went. */
export interface DrainResult {
  readonly reason: string
  /** Nothing was aborted and no hook failed. */
  readonly isClean: boolean
  /** Method and path, or the label, of what was aborted. */
  readonly aborted: readonly string[]
  /** The names of hooks that failed or hung. */
  readonly failedHooks: readonly string[]
  readonly durationMs: number
}

export interface DrainStats {
  /** Requests and tracked work that have not ended; probes left out. */
  readonly inFlight: number
  readonly connections: number
  /** Requests that were answered 503 because they came late. */
  readonly refused: number
  readonly aborted: number
}

export interface HookOptions {
  /** Its own time, in milliseconds, within that of all hooks. @default an equal share of what is left */
  readonly timeoutMs?: number | undefined
  /** Hooks that run before it, by name; `'*'` for all that do not say so themselves. @default the order of registration */
  readonly after?: string | readonly string[] | undefined
}

/** One graceful end of a process. */
export interface Drain {
  /**
   * Begins, once: every further call gets the same promise. It never rejects. With `withinMs` what is left of it, hooks too, shrinks in
   * proportion to take no longer, for an end that cannot wait; also when it is under way.
   */
  start(reason?: string, options?: { readonly withinMs?: number | undefined }): Promise<DrainResult>
  /** That of the health where there is one; else `started` before it begins. */
  readonly phase: Phase
  /** Aborts when the drain begins: queue workers take no new work then. */
  readonly signal: AbortSignal
  stats(): DrainStats
  /** Waits for it too: a job's promise, which comes back, or the response of a request that came past the server. Named in the log by its label when it is aborted. */
  track<T extends PromiseLike<unknown> | ServerResponse>(work: T, label?: string): T
  /** Drains this server too, as one that was among the options; for one that is made later. */
  watch(server: DrainableServer): void
  /** What middleware asks: counts the request, once, and says whether it is to be served. When it is not, it has its answer. */
  admit(request: IncomingMessage, response: ServerResponse): boolean
  /** Runs when every request has ended. Returns what takes it off again. */
  onShutdown(
    name: string,
    run: (context: { readonly signal: AbortSignal }) => unknown,
    options?: HookOptions,
  ): () => void
  /** The durations in force, in milliseconds. */
  readonly plan: Readonly<Durations>
  /** The timeline in words. */
  explain(): string
  /** Lets go of the servers. A drain that has begun goes on to its end. */
  close(): void
}
