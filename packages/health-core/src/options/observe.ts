import { OBSERVE } from './defaults.ts'
import { isPlain } from './plain.ts'
import type { Problems } from './problems.ts'
import { readNumber } from './read-number.ts'
import { refuseUnknown } from './unknown-keys.ts'

export interface ObserveSettings {
  readonly fall: number
  readonly holdMs: number
}

/** Fills in what is absent; what is wrong is added to the problems. */
export function readObserve(given: unknown, problems: Problems): ObserveSettings {
  if (given !== undefined && !isPlain(given)) problems.add('observe', 'true, false or an object', given)
  const options = isPlain(given) ? given : {}
  refuseUnknown('observe', options, Object.keys(OBSERVE), problems)
  return {
    fall: readNumber('observe.fall', options.fall, OBSERVE.fall, problems),
    holdMs: readNumber('observe.holdMs', options.holdMs, OBSERVE.holdMs, problems),
  }
}
