import type { GuardEvent, RunnerEvent } from '../vocabulary/fleet.ts'
import type { EndReason } from '../vocabulary/runner-state.ts'

const REASONS: Readonly<Record<EndReason, string>> = {
  answered_503: 'it answered 503',
  timed_out: 'it took too long for a request',
  connection_broken: 'its connection broke',
  health_check_failed: 'its health checks failed',
  start_timed_out: 'it was not ready in time',
  setup_failed: 'its setup failed',
  exited: 'its process ended',
  scaled_down: 'there are to be fewer',
  stopped: 'everything stops',
}

/** One line of one thing, whatever was thrown somewhere. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Why it leaves has been said when it began to. */
const isLeaving = (state: RunnerEvent['from']): boolean => state === 'draining' || state === 'terminating'
const isBusy = (state: RunnerEvent['to'] | undefined): boolean => state === 'idle' || state === 'running'

/** The line of a change; undefined for one that only says that a request has begun or ended, unless all are wanted. */
export function printRunner(
  { name, pid, from, to, reason, detail }: RunnerEvent,
  isVerbose: boolean,
): string | undefined {
  if (!isVerbose && isBusy(from) && isBusy(to)) return undefined
  const who = `runner ${name}${pid === undefined ? '' : ` (pid ${pid})`}`
  const change = from === undefined ? to : `${from} -> ${to}`
  const isSaid = isLeaving(from)
  const words = [isSaid ? undefined : reason, isSaid && to !== 'gone' ? undefined : detail]
  const why = words.filter((word) => word !== undefined && word !== '').join(': ')
  return oneLine(`${who}: ${change}${why === '' ? '' : `, ${why}`}`)
}

export function printGuard({ name, reason, ended, allowed }: GuardEvent): string {
  return `guard: runner ${name} is kept, though ${REASONS[reason]}: ${ended} of ${allowed} endings that are allowed have been; it serves when no other is free`
}

const SAID = new RegExp(`^runner \\S+: (?:${Object.keys(REASONS).join('|')})(?::|, but it is held)`)

/** Whether a line of the log says what the line of a change, or of the guard, says too. */
export const isSaidByEvents = (line: string): boolean => SAID.test(line)
