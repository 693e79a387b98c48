import { expect, test } from 'vitest'
import { HEIGHT, sparkline, WIDTH } from './sparkline.ts'

const ok = (ms: number) => ({ ms, ok: true })
const failed = (ms: number) => ({ ms, ok: false })
const numbers = (path: string): number[] => [...path.matchAll(/[\d.]+/g)].map(([found]) => Number(found))
const heights = (path: string): number[] => numbers(path).filter((_, index) => index % 2 === 1)

test('draws nothing of nothing', () => {
  expect(sparkline([])).toEqual({ line: '', marks: '', label: 'no run yet' })
})

test('one run is a dot at the right end', () => {
  const { line, marks, label } = sparkline([ok(4)])
  expect([line, marks]).toEqual(['M118 4h0', ''])
  expect(label).toBe('last 1 run: none failed, the slowest usable one 4.0 ms')
})

test('the slowest usable run is the top, and what is faster is lower', () => {
  const { line } = sparkline([ok(10), ok(5), ok(0)])
  expect(line).toMatch(/^M[\d.]+ [\d.]+L[\d.]+ [\d.]+L118 [\d.]+$/)
  expect(heights(line)).toEqual([4, 13, 22])
})

test('one run that took far longer leaves the others their shape', () => {
  const { line, label } = sparkline([ok(900), ok(2), ok(4), ok(4), ok(8), ok(4)])
  expect(heights(line)).toEqual([4, 20.2, 18.4, 18.4, 14.8, 18.4])
  expect(label).toMatch(/slowest usable one 900 ms$/)
})

test('differences of less than a millisecond are no mountains', () => {
  expect(heights(sparkline([ok(0.1), ok(0.3), ok(0.1)]).line)).toEqual([20.2, 16.6, 20.2])
})

test('a failed run is a bar of full height that interrupts the line, and leaves the scale to the usable ones', () => {
  const { line, marks, label } = sparkline([ok(4), ok(2), failed(2_000), ok(4)])
  expect(line.match(/M/g)).toHaveLength(2)
  expect(heights(line.replace('h0', ''))).toEqual([4, 13, 4])
  expect(marks).toMatch(/^M[\d.]+ 1V23$/)
  expect(label).toBe('last 4 runs: 1 failed, the slowest usable one 4.0 ms')
})

test('says so where all have failed', () => {
  const { line, label } = sparkline([failed(1), failed(2)])
  expect([line, label]).toEqual(['', 'last 2 runs: 2 failed'])
})

test('shows the newest 60, inside of the drawing', () => {
  const { line, marks, label } = sparkline(
    Array.from({ length: 90 }, (_, i) => (i < 30 || i % 7 === 0 ? failed(9_000) : ok(i))),
  )
  expect(label).toMatch(/^last 60 runs: 8 failed/)
  expect(marks.match(/M/g)).toHaveLength(8)
  for (const height of heights(line.replaceAll('h0', ''))) expect(height).toBeLessThanOrEqual(HEIGHT)
  const xs = [...line.matchAll(/[ML]([\d.]+)/g), ...marks.matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x))
  expect(Math.min(...xs)).toBeGreaterThan(0)
  expect(Math.max(...xs)).toBeLessThan(WIDTH)
})
