import { describe, expect, it } from 'vitest'
import { age, count, gauge, latency, plain, span } from './words.ts'

const [S, M, H, D] = [1_000, 60_000, 3_600_000, 86_400_000]

describe('a span', () => {
  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [59 * S + 999, '59 s'],
    [M, '1 min'],
    [M + S, '1 min 1 s'],
    [59 * M + 59 * S, '59 min 59 s'],
    [H, '1 h'],
    [5 * H + 12 * M + 59 * S, '5 h 12 min'],
    [D, '1 d'],
    [3 * D + 4 * H + 59 * M, '3 d 4 h'],
    [400 * D, '400 d'],
  ])('of %d ms is %s', (ms, words) => expect(span(ms)).toBe(words))
})

it.each([
  [-1, 'just now'],
  [999, 'just now'],
  [S, '1 s ago'],
  [3 * M, '3 min ago'],
])('an age of %d ms is %s', (ms, words) => expect(age(ms)).toBe(words))

it.each([
  [0, '0.0 ms'],
  [0.04, '0.0 ms'],
  [3.24, '3.2 ms'],
  [9.94, '9.9 ms'],
  [9.96, '10 ms'],
  [412.4, '412 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [2_000, '2.0 s'],
  [59_900, '59.9 s'],
  [90_000, '1 min 30 s'],
])('a latency of %d ms is %s', (ms, words) => expect(latency(ms)).toBe(words))

it.each([
  ['total', 10, 'total 10'],
  ['queue_depth', 1_234_567, 'queue depth 1,234,567'],
  ['ratio', 0.123456, 'ratio 0.12'],
  ['free_percent', 12.5, 'free 12.5 %'],
  ['free_bytes', 1_572_864, 'free 1.5 MiB'],
  ['rssBytes', 412 * 1_048_576, 'rss 412 MiB'],
  ['delay_ms', 12, 'delay 12 ms'],
  ['delayMs', 1.5, 'delay 1.5 ms'],
  ['items', 7, 'items 7'],
  ['rooms', 7, 'rooms 7'],
  ['bytes', 7, 'bytes 7'],
  ['connection', 'ready', 'connection ready'],
  ['state_ms', 'x', 'state ms x'],
  ['is_writable', true, 'is writable yes'],
  ['writable', false, 'writable no'],
])('the gauge %s of %s reads %s', (name, value, words) => expect(gauge(name, value)).toBe(words))

it('counts one in the singular', () => {
  expect([count(0, 'check'), count(1, 'check'), count(40, 'check')]).toEqual([
    '0 checks',
    '1 check',
    '40 checks',
  ])
})

it('says words of the wire without their underscores', () => expect(plain('a_not_ready')).toBe('a not ready'))
