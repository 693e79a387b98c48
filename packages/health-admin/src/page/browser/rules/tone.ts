import type { CheckState } from '../../../live/state.ts'

/** How something is, in five words: each has a colour and a shape of its own. */
export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'unknown'

const TONES: Readonly<Record<string, Tone>> = {
  healthy: 'good',
  ready: 'good',
  started: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
  timed_out: 'bad',
  not_ready: 'bad',
  failed: 'bad',
  error: 'bad',
  unavailable: 'bad',
  starting: 'busy',
  draining: 'busy',
  terminating: 'busy',
  terminated: 'busy',
}

/** The tone of a word of the wire. */
export const toneOf = (word: string): Tone => TONES[word] ?? 'unknown'

/** That of a check: what is not critical takes nothing out of traffic. */
export const toneOfCheck = ({ status, critical }: Pick<CheckState, 'status' | 'critical'>): Tone => {
  const tone = toneOf(status)
  return tone === 'bad' && !critical ? 'warn' : tone
}
