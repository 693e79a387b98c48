import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from '@baldur/health-core'
import { type JumpingClock, jumpingClock, until } from 'health-testkit'
import { expect, onTestFinished } from 'vitest'
import { createFleet, type OwnFleet } from '../processes/create-fleet.ts'
import { markedWith } from '../processes/keeper/process-table.mjs'
import type { FleetSettings } from '../settings/settings.ts'
import type { GuardEvent, Lease, RequestKind, RunnerEvent, RunnerSnapshot } from '../vocabulary/fleet.ts'
import { wrongMoves } from './wrong-moves.ts'

export const APP: string = fileURLToPath(new URL('./app.mjs', import.meta.url))

export interface FleetUnderTest {
  readonly fleet: OwnFleet
  readonly clock: JumpingClock
  readonly events: RunnerEvent[]
  readonly guards: GuardEvent[]
  /** Every line logged, with its level. */
  readonly lines: string[]
  /** Variables with this mark are the runners' alone. */
  readonly mark: string
  /** The moves of one runner: `starting idle running`. */
  moves(name: string): string
  event(name: string, to: RunnerEvent['to']): Promise<RunnerEvent>
  runner(name: string): RunnerSnapshot | undefined
  names(): readonly string[]
  /** Resolves when so many runners are idle. */
  idle(count: number): Promise<void>
  /** A lease of a runner that is free now. */
  take(kind?: RequestKind): Lease
  /** Takes leases until this runner is the one, and gives all others back. */
  takeFrom(name: string): Lease
  /** What the app wrote into a file, by lines. */
  notes(file: string): readonly string[]
  /** Makes a file that the app looks for. */
  put(file: string): void
  remove(file: string): void
}

/** A fleet of the test's app, started; it ends with the test, which fails if a process is left or a state came out of order. */
export async function fleetUnderTest(
  start: string,
  options: Partial<FleetSettings> = {},
): Promise<FleetUnderTest> {
  const files = mkdtempSync(join(tmpdir(), 'fleet-'))
  const mark = `TEST_MARK=${files}`
  const [events, guards, lines]: [RunnerEvent[], GuardEvent[], string[]] = [[], [], []]
  const log =
    (level: string) =>
    (line: string): void => {
      lines.push(`${level}: ${line}`)
    }
  const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const clock = jumpingClock()
  const settings: FleetSettings = {
    command: [process.execPath, APP],
    cwd: files,
    runnerEnv: { PATH: process.env.PATH, START: start, FILES: files, TEST_MARK: files },
    runners: 1,
    startTimeoutMs: 20_000,
    requestTimeoutMs: 20_000,
    killAfterMs: 20_000,
    directConcurrency: 16,
    queuedConcurrency: 1,
    replace: 'start_first',
    healthCheck: undefined,
    ...options,
  }
  const fleet = createFleet(settings, {
    logger,
    clock,
    onRunner: (event) => events.push(event),
    onGuard: (event) => guards.push(event),
  })
  onTestFinished(async () => {
    const isStopped = { value: false }
    const stopping = fleet.stop().then(() => {
      isStopped.value = true
    })
    // what is deaf is killed at once
    await until(() => isStopped.value || void clock.jump(settings.killAfterMs), { timeoutMs: 15_000 })
    await stopping
    expect(markedWith([mark])).toEqual([])
    expect(wrongMoves(events)).toEqual([])
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([])
    rmSync(files, { recursive: true, force: true })
  })
  await fleet.start()

  const takeFrom = (name: string): Lease => {
    const others: Lease[] = []
    for (;;) {
      const lease = fleet.take('direct')
      if (lease === undefined) throw new Error(`runner ${name} is not free`)
      if (lease.runner.name === name) {
        for (const other of others) other.end({ kind: 'inconclusive' })
        return lease
      }
      others.push(lease)
    }
  }
  const runner = (name: string) => fleet.snapshot().runners.find((one) => one.name === name)
  return {
    ...{ fleet, clock, events, guards, lines, mark, takeFrom, runner },
    moves: (name) =>
      events
        .filter((event) => event.name === name)
        .map(({ to }) => to)
        .join(' '),
    event: (name, to) =>
      until(() => events.find((event) => event.name === name && event.to === to), {
        timeoutMs: 15_000,
        message: `runner ${name} to be ${to}`,
      }).catch((error: Error) => {
        const moves = events.map((event) => `${event.name} ${event.to} ${event.detail ?? ''}`)
        throw new Error([error.message, ...moves, ...lines].join('\n'))
      }),
    names: () => fleet.snapshot().runners.map(({ name }) => name),
    idle: async (count) => {
      const isReached = () =>
        fleet.snapshot().runners.filter(({ state }) => state === 'idle').length === count
      await until(isReached, { timeoutMs: 15_000, message: `${count} idle runners` })
    },
    take: (kind = 'direct') => {
      const lease = fleet.take(kind)
      if (lease === undefined) throw new Error('no runner is free')
      return lease
    },
    notes: (file) => {
      const path = join(files, file)
      return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
    },
    put: (file) => writeFileSync(join(files, file), ''),
    remove: (file) => rmSync(join(files, file), { force: true }),
  }
}
