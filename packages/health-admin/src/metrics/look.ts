import type { Clock, Logger, Phase } from '@baldur/health-core'
import { formatError } from '@baldur/health-core/internal'
import type { AdminDrain, AdminHealth } from '../options.ts'
import type { Instance, Known } from './known.ts'
import type { Tallies } from './tally.ts'

/** An answer keeps its own budget; that of one which does not ends so much later. */
const MARGIN_MS = 500

interface Watched {
  readonly health: AdminHealth
  readonly drain: AdminDrain | undefined
  readonly instance: Instance
  readonly tallies: Tallies
  readonly clock: Clock
  readonly logger: Logger
}

const isLeaving = (phase: Phase | undefined): boolean =>
  phase === 'draining' || phase === 'terminating' || phase === 'terminated'

/**
 * Looks at all that is known, asking for verdict and readiness as a prober does: from their caches, in one flight, within
 * their budgets. Whoever looks while another does shares its look. Never rejects: what throws or takes too long is absent.
 */
export function createLook({
  health,
  drain,
  instance,
  tallies,
  clock,
  logger,
}: Watched): () => Promise<Known> {
  const { verdict, readiness, checks } = health.explain()
  const failing = new Set<string>()
  const succeeded = <T>(what: string, value: T): T => {
    failing.delete(what)
    return value
  }
  /** Told once, until it works again. */
  const failed = (what: string, why: string): undefined => {
    if (!failing.has(what)) logger.warn(`metrics: ${what} cannot be read: ${why}`)
    failing.add(what)
    return undefined
  }
  const attempt = <T>(what: string, read: () => T): T | undefined => {
    try {
      return succeeded(what, read())
    } catch (error) {
      return failed(what, formatError(error))
    }
  }
  const within = <T>(what: string, budgetMs: number, ask: () => Promise<T>): Promise<T | undefined> =>
    new Promise((resolve) => {
      let isOver = false
      /** The first end counts: what comes after the time is over is nobody's any more. */
      const end = (value: () => T | undefined): void => {
        if (isOver) return
        isOver = true
        cancel()
        resolve(value())
      }
      const cancel = clock.after(budgetMs + MARGIN_MS, () =>
        end(() => failed(what, `no answer in ${budgetMs + MARGIN_MS} ms`)),
      )
      // async: what throws at once rejects
      const asked = (async () => ask())()
      asked.then(
        (value) => end(() => succeeded(what, value)),
        (error: unknown) => end(() => failed(what, formatError(error))),
      )
    })

  const look = async (): Promise<Known> => {
    const [seen, ready] = await Promise.all([
      within('the verdict', verdict.budgetMs, () => health.verdict()),
      within('readiness', readiness.budgetMs, () => health.readiness()),
    ])
    const snapshot = attempt('the snapshot', () => health.snapshot())
    const drainPhase = attempt("the drain's phase", () => drain?.phase)
    // a drain that was given no health leaves all the same
    const phase = isLeaving(drainPhase) ? drainPhase : snapshot?.phase
    return {
      instance,
      verdict: seen,
      readiness: ready,
      snapshot,
      phase,
      // it looks no more then
      watchdog: isLeaving(phase) ? undefined : snapshot?.watchdog,
      history: attempt('the history', () => health.history) ?? [],
      isSelfHealing: attempt('self-healing', () => health.selfHealing),
      drain: attempt('the drain', () => drain?.stats()),
      checks,
      tallies,
      at: clock.wall(),
    }
  }

  let flight: Promise<Known> | undefined
  return () => {
    flight ??= look().finally(() => {
      flight = undefined
    })
    return flight
  }
}
