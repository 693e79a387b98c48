import type { AdminHealth } from '../options.ts'
import type { RecentRun } from './state.ts'

/** What the last runs of each check took. */
export interface Recorder {
  /** By the name that the check has in events; empty before its first run. */
  recentOf(name: string): readonly RecentRun[]
  stop(): void
}

/** To a tenth of a millisecond: below it is noise, and it is sent every second. */
const rounded = (ms: number): number => Math.round(ms * 10) / 10

export function createRecorder(health: Pick<AdminHealth, 'on'>, length: number): Recorder {
  const recent = new Map<string, RecentRun[]>()
  const stop = health.on('check', ({ name, outcome, durationMs }) => {
    const runs = recent.get(name) ?? []
    recent.set(name, [...runs, { ms: rounded(durationMs), ok: outcome.kind === 'usable' }].slice(-length))
  })
  return { recentOf: (name) => recent.get(name) ?? [], stop }
}
