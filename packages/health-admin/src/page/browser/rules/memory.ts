import type { AdminState, InstanceState, MoveState } from '../../../live/state.ts'

/** Something that this page saw itself, beside the moves that the server tells. */
export interface Sighting {
  /** Milliseconds since 1970, by the server's clock. */
  readonly at: number
  readonly kind: 'lost' | 'left' | 'back' | 'restart' | 'drain' | 'switch'
  readonly text: string
}

/** What the page keeps: a process that has been replaced no longer tells its moves. */
export interface Memory {
  readonly moves: readonly MoveState[]
  readonly sightings: readonly Sighting[]
  readonly instance?: InstanceState
}

export const EMPTY: Memory = { moves: [], sightings: [] }

const MOST = 100

/** Keeps what a state tells, and notices another process behind the same address. */
export function remember(memory: Memory, state: AdminState): Memory {
  const known = new Set(memory.moves.map(keyOf))
  const moves = [...memory.moves, ...state.history.filter((move) => !known.has(keyOf(move)))].slice(-MOST)
  const text = restartOf(memory.instance, state.instance)
  const kept = { ...memory, moves, instance: state.instance }
  return text === undefined
    ? kept
    : see(kept, { at: Date.parse(state.instance.started_at), kind: 'restart', text })
}

/** Keeps a sighting. */
export const see = (memory: Memory, sighting: Sighting): Memory => ({
  ...memory,
  sightings: [...memory.sightings, sighting].slice(-MOST),
})

const keyOf = ({ at, from, to }: MoveState): string => `${at} ${from} ${to}`

/** In words, or undefined while the same process answers. */
function restartOf(before: InstanceState | undefined, now: InstanceState): string | undefined {
  if (before === undefined) return undefined
  const isSame = before.host === now.host && before.pid === now.pid && before.started_at === now.started_at
  if (isSame) return undefined
  const version = before.version === now.version ? '' : `, version ${now.version ?? 'unknown'}`
  if (before.host !== now.host)
    return `Another process answers: ${now.pid} on ${now.host}, after ${before.pid} on ${before.host}${version}`
  const after = before.pid === now.pid ? 'the same number, started anew' : `after ${before.pid}`
  return `Another process answers: ${now.pid}, ${after}${version}`
}
