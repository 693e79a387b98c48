import { expect, test } from 'vitest'
import { departure } from './departure.ts'

const SERVED = { isServed: true } as const
const TOLD = { isTold: true } as const

test.each([
  [
    'ended, by its own last word',
    { ...SERVED, ...TOLD, phase: 'terminated', inFlight: 0 },
    ['ENDED', 'busy', 'Its drain has ended, with nothing in flight: that was the last word of the server.'],
  ],
  [
    'ended, with requests left',
    { ...SERVED, ...TOLD, phase: 'terminated', inFlight: 2 },
    [
      'ENDED',
      'warn',
      'Its drain has ended, with 2 requests in flight: that was the last word of the server.',
    ],
  ],
  [
    'closed at the beginning of a drain',
    { ...TOLD, phase: 'draining', inFlight: 1 },
    [
      'DRAIN BEGUN',
      'busy',
      'A drain has begun, with 1 request in flight, and the admin server has closed, as it does at a drain’s beginning. How the drain goes on cannot be seen from here.',
    ],
  ],
  [
    'closed in a drain that it served in',
    { ...SERVED, ...TOLD, phase: 'draining', inFlight: 1 },
    [
      'CLOSED',
      'busy',
      'The admin server has closed in its drain, with 1 request in flight. How the drain goes on cannot be seen from here.',
    ],
  ],
  [
    'lost in the middle of it',
    { ...SERVED, phase: 'draining', inFlight: 3 },
    [
      'NO ANSWER',
      'bad',
      'Lost in the middle of its drain, with 3 requests in flight when it was last heard: it may have been killed.',
    ],
  ],
  [
    'lost with nothing in flight',
    { ...SERVED, phase: 'draining', inFlight: 0 },
    [
      'NO ANSWER',
      'busy',
      'It was last heard in its drain, with nothing in flight. Whether it has ended cannot be seen from here.',
    ],
  ],
  [
    'lost at its end',
    { ...SERVED, phase: 'terminating', inFlight: 0 },
    [
      'NO ANSWER',
      'busy',
      'It was last heard at the end of its drain, with nothing in flight. Whether it has ended cannot be seen from here.',
    ],
  ],
  [
    'lost where nothing counts its requests',
    { ...SERVED, phase: 'draining' },
    ['NO ANSWER', 'busy', 'It was last heard in its drain. Whether it has ended cannot be seen from here.'],
  ],
] as const)('%s', (_title, drain, [word, tone, meaning]) =>
  expect(departure(drain)).toMatchObject({ word, tone, meaning }),
)

test('the line in the timeline claims no end that was not told', () => {
  const line = (drain: Parameters<typeof departure>[0]): string => departure(drain).line
  expect(line({ ...SERVED, ...TOLD, phase: 'terminated', inFlight: 0 })).toBe(
    'Its drain has ended, with nothing in flight',
  )
  expect(line({ ...TOLD, phase: 'draining', inFlight: 1 })).toBe(
    'The admin server has closed, as it does at a drain’s beginning',
  )
  expect(line({ ...SERVED, ...TOLD, phase: 'draining' })).toBe('The admin server has closed in its drain')
  expect(line({ ...SERVED, phase: 'draining', inFlight: 3 })).toBe(
    'Lost the server in its drain, with 3 requests in flight',
  )
})
