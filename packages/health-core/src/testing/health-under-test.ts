import { createHealth } from '../create-health.ts'
import type { Health } from '../health.ts'
import { type ManualClock, manualClock } from '../machinery/manual-clock.ts'
import type { HealthOptions } from '../options/input.ts'
import type { ProbeResponse } from '../vocabulary/exchange.ts'

interface Answered {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly response: ProbeResponse
}

/** A health on a clock that a test moves, asked over its answer function. */
export interface HealthUnderTest {
  readonly health: Health
  readonly clock: ManualClock
  /** Every line logged, with its level. */
  readonly lines: string[]
  /** Starts a request and does not wait; `settled` fills in when it has been answered. */
  ask(path: string, method?: string): { settled: Answered | undefined; readonly answer: Promise<Answered> }
  /** Asks and moves time on until it is answered, at most `withinMs`. */
  get(path: string, withinMs?: number): Promise<Answered>
}

export function healthUnderTest(
  options: HealthOptions = {},
  clock: ManualClock = manualClock(),
): HealthUnderTest {
  const lines: string[] = []
  const log =
    (level: string) =>
    (line: string): void => {
      lines.push(`${level}: ${line}`)
    }
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const health = createHealth({ clock, logger, env: {}, watchdog: false, ...options })

  const ask: HealthUnderTest['ask'] = (path, method = 'GET') => {
    const given = health.answer({ method, target: `/health${path}` })
    if (given === undefined) throw new Error(`/health${path} is not ours`)
    const read = (response: ProbeResponse): Answered => ({
      status: response.status,
      body: response.body === '' ? {} : JSON.parse(response.body),
      response,
    })
    const asked: { settled: Answered | undefined; answer: Promise<Answered> } = {
      settled: given instanceof Promise ? undefined : read(given),
      answer: Promise.resolve(given).then(read),
    }
    void asked.answer.then((answered) => {
      asked.settled = answered
    })
    return asked
  }

  return {
    health,
    clock,
    lines,
    ask,
    get: async (path, withinMs = 0) => {
      const asked = ask(path)
      if (asked.settled === undefined) await clock.advance(withinMs)
      if (asked.settled === undefined)
        throw new Error(`/health${path} was not answered within ${withinMs} ms`)
      return asked.settled
    },
  }
}
