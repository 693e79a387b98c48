import type { Clock, HealStep, Outcome, VerdictState } from '@baldur/health-core'
import type { AdminHealth } from '../options.ts'

/** How one check's runs have ended. */
interface RunTally {
  readonly outcomes: Readonly<Partial<Record<Outcome['kind'], number>>>
  /** When the last one did: milliseconds since 1970, by this host's clock. */
  readonly endedAt: number
}

/** What a health has told of since somebody counts. */
export interface Tallies {
  /** By the check's name. */
  readonly runs: ReadonlyMap<string, RunTally>
  /** How often the verdict moved so. */
  moves(from: VerdictState, to: VerdictState): number
  /** How often healing the check came to this. */
  heals(name: string, kind: HealStep['kind']): number
}

export interface Tally extends Tallies {
  /** Counts nothing more. */
  close(): void
}

/** Counts what a health tells of; `onRun` hears of every run too, in seconds. */
export function createTally(
  health: Pick<AdminHealth, 'on'>,
  clock: Pick<Clock, 'wall'>,
  onRun: (name: string, seconds: number) => void,
  /** `responses`, which looks at the app's own answers, has no runs. */
  isRun: (name: string) => boolean,
): Tally {
  const runs = new Map<string, RunTally>()
  const counts = new Map<string, number>()
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
  const moveKey = (from: VerdictState, to: VerdictState): string => `verdict ${from} ${to}`
  const healKey = (name: string, kind: HealStep['kind']): string => `heal ${kind} ${name}`

  const offs = [
    health.on('check', ({ name, outcome: { kind }, durationMs }) => {
      if (!isRun(name)) return
      const { outcomes = {} } = runs.get(name) ?? {}
      runs.set(name, {
        outcomes: { ...outcomes, [kind]: (outcomes[kind] ?? 0) + 1 },
        endedAt: clock.wall(),
      })
      onRun(name, durationMs / 1_000)
    }),
    health.on('verdict', ({ from, to }) => count(moveKey(from, to))),
    health.on('heal', ({ name, kind }) => count(healKey(name, kind))),
  ]
  return {
    runs,
    moves: (from, to) => counts.get(moveKey(from, to)) ?? 0,
    heals: (name, kind) => counts.get(healKey(name, kind)) ?? 0,
    close: () => {
      for (const off of offs) off()
    },
  }
}
