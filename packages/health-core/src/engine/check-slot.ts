import type { Clock } from '../machinery/clock.ts'
import { withinDeadline } from '../machinery/deadline.ts'
import { guardedAbort } from '../machinery/guarded-abort.ts'
import type { CheckEntry } from '../options/entry.ts'
import { formatError, logMessage, problem, problemOf } from '../rules/problem.ts'
import { read } from '../rules/read.ts'
import { afterRemoteSuccess, INITIAL_STREAK, type Streak, streak } from '../rules/streak.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { Reading } from '../vocabulary/reading.ts'
import { runCheck } from './run-check.ts'

/** A run that has not settled. */
interface Run {
  readonly startedAt: number
  readonly controller: AbortController
  /** Resolves when the run has settled or reached its timeout. */
  readonly ended: Promise<void>
  /** When it reached its timeout; absent before. */
  abortedAt?: number
  isReported?: boolean
  /** True while only watchers have requested this run. */
  isWatched: boolean
}

/** One check and the one run it may have outstanding. */
export interface CheckSlot {
  readonly entry: CheckEntry
  /** Increases whenever the check's reading may have changed. */
  readonly version: number
  /** When a run last settled within its timeout, on the clock; -Infinity before the first. */
  readonly settledAt: number
  /** When the current reading was observed: the end of the last run, or its timeout. The present time before the first run. */
  readonly seenAt: number
  /** Identity of the outstanding run, for comparison only. */
  readonly pending: object | undefined
  /** Milliseconds since the start of the outstanding run; 0 when there is none. */
  outstandingMs(): number
  /** Joins the outstanding run or starts one; resolves when it ends. Returns undefined when there is nothing to wait for: the run is stuck, `minIntervalMs` has not passed, or the slot is closed. `isWatched`: the caller only watches. */
  refresh(isWatched?: boolean): Promise<void> | undefined
  /** Returns the check's reading. `budgetMs`: the budget of a round that ended before the outstanding run. `includeRemote`: successes of other processes count too. */
  read(budgetMs?: number, includeRemote?: boolean): Reading
  /** Records that another process has seen the check usable. */
  acceptRemoteSuccess(): void
  /** Aborts the outstanding run and frees what the check opened. Never rejects. */
  close(): Promise<void>
}

const CLOSED: Outcome = { kind: 'unusable', problem: problem('CLOSED') }

export function createCheckSlot(
  entry: CheckEntry,
  {
    clock,
    logger,
    stuckAfterMs,
  }: { readonly clock: Clock; readonly logger: Logger; readonly stuckAfterMs: number },
  onOutcome: (outcome: Outcome, durationMs: number, isWatched: boolean) => void,
): CheckSlot {
  let runs: { readonly streak: Streak; readonly latest?: Outcome } = { streak: INITIAL_STREAK }
  /** The same runs, counted after a success of another process. */
  let streakWithRemote: Streak | undefined
  let run: Run | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let settledAt = Number.NEGATIVE_INFINITY
  let seenAt: number | undefined
  let version = 0
  let closing: Promise<void> | undefined

  const record = (outcome: Outcome, { isWatched }: Run): void => {
    const isUsable = outcome.kind === 'usable'
    runs = { streak: streak(runs.streak, isUsable, entry), latest: outcome }
    if (streakWithRemote !== undefined) streakWithRemote = streak(streakWithRemote, isUsable, entry)
    version += 1
    seenAt = clock.now()
    onOutcome(outcome, clock.now() - startedAt, isWatched)
  }

  const start = (isWatched: boolean): Run => {
    const controller = guardedAbort((error) => {
      logger.warn(`check ${entry.name} failed in a listener of its signal: ${formatError(error)}`)
    })
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const mine: Run = { startedAt: clock.now(), controller, ended, isWatched }
    run = mine
    startedAt = mine.startedAt
    const onTimeout = (outcome: Outcome): void => {
      mine.abortedAt = clock.now()
      end()
      if (closing === undefined) record(outcome, mine)
    }
    void runCheck(entry, controller, clock, onTimeout).then((outcome) => {
      run = undefined
      version += 1
      if (closing !== undefined) return end()
      if (mine.abortedAt === undefined) {
        settledAt = clock.now()
        end()
        return record(outcome, mine)
      }
      const lateMs = Math.round(clock.now() - mine.startedAt)
      logger.debug(
        `check ${entry.name} settled ${lateMs} ms after its start, too late: the result is discarded`,
      )
    })
    return mine
  }

  const reportStuck = (stuck: Run): void => {
    const sinceAbortMs = clock.now() - (stuck.abortedAt ?? clock.now())
    if (stuck.isReported || sinceAbortMs < stuckAfterMs) return
    stuck.isReported = true
    const sinceMs = Math.round(clock.now() - stuck.startedAt)
    logger.warn(
      `check ${entry.name} is stuck: it has not settled ${sinceMs} ms after its start, though its signal was aborted; it is not run again until it has`,
    )
  }

  return {
    entry,
    get version() {
      return version
    },
    get settledAt() {
      return settledAt
    },
    get seenAt() {
      return seenAt ?? clock.now()
    },
    get pending() {
      return run
    },
    outstandingMs: () => (run === undefined ? 0 : clock.now() - run.startedAt),
    refresh: (isWatched = false) => {
      if (closing !== undefined) return undefined
      if (run?.abortedAt !== undefined) {
        reportStuck(run)
        return undefined
      }
      if (run !== undefined) {
        run.isWatched &&= isWatched
        return run.ended
      }
      if (clock.now() - startedAt < entry.minIntervalMs) return undefined
      return start(isWatched).ended
    },
    acceptRemoteSuccess: () => {
      if (runs.streak.state === 'unknown') streakWithRemote ??= afterRemoteSuccess(runs.streak, entry.fall)
    },
    read: (budgetMs, includeRemote = false) => {
      if (closing !== undefined) {
        return { status: 'unusable', wasUsable: runs.streak.state !== 'unknown', latest: CLOSED }
      }
      const seen =
        includeRemote && streakWithRemote !== undefined ? { ...runs, streak: streakWithRemote } : runs
      if (run?.abortedAt !== undefined) {
        return read(seen, entry, { budgetMs: entry.timeoutMs, overdueMs: clock.now() - run.abortedAt })
      }
      return read(seen, entry, run !== undefined && budgetMs !== undefined ? { budgetMs } : undefined)
    },
    close: () => {
      closing ??= (async () => {
        version += 1
        run?.controller.abort(new Error('health is closed'))
        // a `close` that takes longer than one run must not delay the exit
        const freed = Promise.resolve()
          .then(() => entry.check.close?.())
          .catch((error: unknown) => {
            logger.warn(`check ${entry.name} could not be closed: ${logMessage(problemOf(error))}`)
          })
        await withinDeadline([freed], entry.timeoutMs, clock)
      })()
      return closing
    },
  }
}
