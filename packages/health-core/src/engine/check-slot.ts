import type { Clock } from '../machinery/clock.ts'
import { withinDeadline } from '../machinery/deadline.ts'
import { guardedAbort } from '../machinery/guarded-abort.ts'
import type { CheckEntry } from '../options/entry.ts'
import { formatError, logMessage, problem, problemOf } from '../rules/problem.ts'
import { read } from '../rules/read.ts'
import { NO_RUNS, type Streak, streak, vouchedFor } from '../rules/streak.ts'
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
  /** Nobody but watchers asked for it. */
  isWatched: boolean
}

/** One check and the one run it may have outstanding. */
export interface CheckSlot {
  readonly entry: CheckEntry
  /** Goes up whenever what the check reads may have changed. */
  readonly version: number
  /** When a run last ended by itself, on the clock; -Infinity before. */
  readonly settledAt: number
  /** When what it reads was seen: the end of the last run, or its timeout. The present before that. */
  readonly seenAt: number
  /** The outstanding run, to be compared only. */
  readonly pending: object | undefined
  /** For how long a run has been outstanding, in milliseconds; 0 when none is. */
  outstandingMs(): number
  /** Joins the run under way or starts one; resolves when it has ended. Undefined when there is nothing to wait for: the run is stuck, too soon after the last, or the slot is closed. `isWatched`: whoever asks only watches. */
  refresh(isWatched?: boolean): Promise<void> | undefined
  /** What the check reads. `budgetMs`: a round's budget ended while the outstanding run had not. `withVouched`: what others have seen counts too. */
  read(budgetMs?: number, withVouched?: boolean): Reading
  /** Another process has seen it usable. */
  vouch(): void
  /** Aborts what runs and frees what the check opened. */
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
  let runs: { readonly streak: Streak; readonly latest?: Outcome } = { streak: NO_RUNS }
  /** The same runs after a success that another process has seen. */
  let vouched: Streak | undefined
  let run: Run | undefined
  let startedAt = Number.NEGATIVE_INFINITY
  let settledAt = Number.NEGATIVE_INFINITY
  let seenAt: number | undefined
  let version = 0
  let closing: Promise<void> | undefined

  const record = (outcome: Outcome, { isWatched }: Run): void => {
    const isUsable = outcome.kind === 'usable'
    runs = { streak: streak(runs.streak, isUsable, entry), latest: outcome }
    if (vouched !== undefined) vouched = streak(vouched, isUsable, entry)
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
        `check ${entry.name} settled ${lateMs} ms after its start, too late: the result is thrown away`,
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
    vouch: () => {
      if (runs.streak.state === 'unknown') vouched ??= vouchedFor(runs.streak, entry.fall)
    },
    read: (budgetMs, withVouched = false) => {
      if (closing !== undefined) {
        return { status: 'unusable', wasUsable: runs.streak.state !== 'unknown', latest: CLOSED }
      }
      const seen = withVouched && vouched !== undefined ? { ...runs, streak: vouched } : runs
      if (run?.abortedAt !== undefined) {
        return read(seen, entry, { budgetMs: entry.timeoutMs, overdueMs: clock.now() - run.abortedAt })
      }
      return read(seen, entry, run !== undefined && budgetMs !== undefined ? { budgetMs } : undefined)
    },
    close: () => {
      closing ??= (async () => {
        version += 1
        run?.controller.abort(new Error('health is closed'))
        // what cannot be freed in the time of one run must not hold up the exit
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
