import { createHealth } from '@baldur/health-core'
import { afterEach, expect, test, vi } from 'vitest'
import { readDrainSettings } from './read-settings.ts'

afterEach(() => vi.unstubAllEnvs())

const health = createHealth({ env: {}, watchdog: false })
function warned(options: object): readonly string[] {
  const lines: string[] = []
  const warn = (line: string): void => void lines.push(line)
  const nothing = (): void => undefined
  readDrainSettings({ logger: { debug: nothing, info: nothing, warn, error: nothing }, ...options })
  return lines
}
const told = 'BALDUR_DRAIN_SHUTDOWN_DELY_SECONDS is not a known variable'

test('a variable that nobody knows is warned of, once where a health has told of the process’s own', () => {
  vi.stubEnv('BALDUR_DRAIN_SHUTDOWN_DELY_SECONDS', '1')
  expect(warned({})).toEqual([expect.stringContaining(told)])
  expect(warned({ health })).toEqual([])
  expect(warned({ health, env: { BALDUR_DRAIN_SHUTDOWN_DELY_SECONDS: '1' } })).toEqual([
    expect.stringContaining(told),
  ])
})
