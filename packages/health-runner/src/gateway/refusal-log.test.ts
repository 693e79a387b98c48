import { expect, it } from 'vitest'
import { manualClock } from '../../../health-core/src/machinery/manual-clock.ts'
import { createRefusalLog } from './refusal-log.ts'

it('says the first refusal at once, then how many more each minute, and the next first one at once again', async () => {
  const clock = manualClock()
  const lines: string[] = []
  const note = createRefusalLog({ clock, logger: { warn: (line) => lines.push(line) } })
  for (let i = 0; i < 50; i += 1) note('the line is full')
  note('none is ready')
  expect(lines).toEqual(['gateway: a request was refused: the line is full'])
  await clock.advance(60_000)
  expect(lines.splice(0)).toEqual([
    'gateway: a request was refused: the line is full',
    'gateway: requests were refused within 60 s, 49 more: the line is full; 1 more: none is ready',
  ])
  note('the line is full')
  await clock.advance(60_000)
  expect(lines.splice(0)).toEqual(['gateway: requests were refused within 60 s, 1 more: the line is full'])
  await clock.advance(60_000)
  expect(lines).toEqual([])
  note('none is ready')
  expect(lines).toEqual(['gateway: a request was refused: none is ready'])
})
