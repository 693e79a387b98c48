import type { DrainSeen } from './link.ts'
import type { Tone } from './tone.ts'
import { count } from './words.ts'

/** How a server has gone that was leaving: no more than was seen of it. */
export interface Departure {
  readonly word: string
  readonly tone: Tone
  readonly meaning: string
  /** Its line in the timeline. */
  readonly line: string
}

const UNSEEN = 'How the drain goes on cannot be seen from here.'

export function departure({ inFlight, phase, isServed = false, isTold = false }: DrainSeen): Departure {
  const left =
    inFlight === undefined
      ? ''
      : `, with ${inFlight === 0 ? 'nothing' : count(inFlight, 'request')} in flight`
  if (isTold && phase === 'terminated')
    return {
      word: 'ENDED',
      tone: inFlight ? 'warn' : 'busy',
      meaning: `Its drain has ended${left}: that was the last word of the server.`,
      line: `Its drain has ended${left}`,
    }
  if (isTold)
    return {
      word: isServed ? 'CLOSED' : 'DRAIN BEGUN',
      tone: 'busy',
      meaning: isServed
        ? `The admin server has closed in its drain${left}. ${UNSEEN}`
        : `A drain has begun${left}, and the admin server has closed, as it does at a drain’s beginning. ${UNSEEN}`,
      line: `The admin server has closed${isServed ? ' in its drain' : ', as it does at a drain’s beginning'}`,
    }
  const line = `Lost the server in its drain${left}`
  if (phase === 'draining' && inFlight !== undefined && inFlight > 0)
    return {
      word: 'NO ANSWER',
      tone: 'bad',
      meaning: `Lost in the middle of its drain${left} when it was last heard: it may have been killed.`,
      line,
    }
  const where = phase === 'draining' ? 'in' : 'at the end of'
  return {
    word: 'NO ANSWER',
    tone: 'busy',
    meaning: `It was last heard ${where} its drain${left}. Whether it has ended cannot be seen from here.`,
    line,
  }
}
