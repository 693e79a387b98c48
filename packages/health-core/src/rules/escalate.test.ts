import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escalate, INITIAL_INCIDENT, type Incident } from './escalate.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PATIENCE = { afterMs: 3 * MINUTE, againMs: HOUR }

/** The notices of a series of looks, with their times. */
function notices(looks: readonly (readonly [atMs: number, isBad: boolean])[]): readonly string[] {
  let incident: Incident = INITIAL_INCIDENT
  return looks.flatMap(([at, isBad]) => {
    const step = escalate(incident, isBad, at, PATIENCE)
    incident = step.incident
    return step.notice === undefined ? [] : [`${step.notice} at ${at / MINUTE}`]
  })
}
/** Looks every half minute, in these minutes all bad or all well. */
const halves = (spans: readonly (readonly [untilMinute: number, isBad: boolean])[]) => {
  const looks: [number, boolean][] = []
  let at = 0
  for (const [until, isBad] of spans) for (; at < until * MINUTE; at += MINUTE / 2) looks.push([at, isBad])
  return looks
}

const ROWS: readonly (readonly [
  what: string,
  looks: readonly (readonly [number, boolean])[],
  readonly string[],
])[] = [
  ['always well', halves([[10, false]]), []],
  [
    'bad, not for long enough',
    halves([
      [3, true],
      [10, false],
    ]),
    [],
  ],
  ['bad for exactly long enough', halves([[3.5, true]]), ['escalation at 3']],
  [
    'bad and well again',
    halves([
      [4, true],
      [5, false],
    ]),
    ['escalation at 3', 'recovery at 4'],
  ],
  [
    'healthy again: one recovery notice',
    halves([
      [4, true],
      [20, false],
    ]),
    ['escalation at 3', 'recovery at 4'],
  ],
  [
    'bad for hours: once an hour',
    halves([[130, true]]),
    ['escalation at 3', 'escalation at 63', 'escalation at 123'],
  ],
  [
    'one good look starts the time again',
    halves([
      [2.5, true],
      [3, false],
      [6, true],
    ]),
    [],
  ],
  [
    'bad again within the hour: escalated at the end of the hour if it still is',
    halves([
      [4, true],
      [5, false],
      [70, true],
    ]),
    ['escalation at 3', 'recovery at 4', 'escalation at 63'],
  ],
  [
    'bad again within the hour and healthy before its end: neither escalation nor recovery',
    halves([
      [4, true],
      [5, false],
      [50, true],
      [70, false],
    ]),
    ['escalation at 3', 'recovery at 4'],
  ],
  [
    'looks an hour apart',
    [
      [0, true],
      [HOUR, true],
      [2 * HOUR, false],
    ],
    ['escalation at 60', 'recovery at 120'],
  ],
]

it('the escalation table has 10 rows', () => expect(ROWS).toHaveLength(10))
it.each(ROWS)('%s', (_what, looks, expected) => expect(notices(looks)).toEqual(expected))

it('whatever happens: escalations an hour apart at least, each after three bad minutes, each recovery after an escalation', () => {
  const look = fc.tuple(fc.integer({ min: 1, max: 20 * MINUTE }), fc.boolean())
  fc.assert(
    fc.property(fc.array(look, { maxLength: 200 }), (steps) => {
      let incident: Incident = INITIAL_INCIDENT
      let now = 0
      let badSince: number | undefined
      let lastAt: number | undefined
      let isOpen = false
      for (const [waited, isBad] of steps) {
        now += waited
        badSince = isBad ? (badSince ?? now) : undefined
        const step = escalate(incident, isBad, now, PATIENCE)
        incident = step.incident
        if (step.notice === 'escalation') {
          expect(now - (badSince ?? now)).toBeGreaterThanOrEqual(PATIENCE.afterMs)
          if (lastAt !== undefined) expect(now - lastAt).toBeGreaterThanOrEqual(HOUR)
          lastAt = now
          isOpen = true
        }
        expect(step.notice === 'recovery').toBe(!isBad && isOpen)
        if (!isBad) isOpen = false
      }
    }),
  )
})
