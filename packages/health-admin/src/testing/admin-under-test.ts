import { type Check, createHealth, type Health } from '@baldur/health-core'
import { type RawRequestOptions, rawRequest, type TimedResponse } from 'health-testkit'
import { onTestFinished } from 'vitest'
import type { AdminOptions, AdminServer } from '../options.ts'
import { startAdmin } from '../start-admin.ts'

export const OPERATOR = 'the-operator-key'
export const VIEWER = 'the-viewer-key'
export const KEYS: Pick<AdminOptions, 'operatorKey' | 'viewerKey'> = {
  operatorKey: OPERATOR,
  viewerKey: VIEWER,
}

/** A check that a test turns on and off. */
interface SwitchedCheck extends Check {
  isUp: boolean
  runs: number
}
function switchedCheck(name: string): SwitchedCheck {
  const check: SwitchedCheck = {
    name,
    isUp: true,
    runs: 0,
    run: () => {
      check.runs += 1
      if (check.isUp) return true
      throw Object.assign(new Error('connect to db.internal failed, password=hunter2'), {
        code: 'ECONNREFUSED',
      })
    },
  }
  return check
}

export interface AdminUnderTest {
  readonly admin: AdminServer
  readonly health: Health
  readonly database: SwitchedCheck
  readonly port: number
  /** Every line logged, with its level. */
  readonly lines: string[]
  ask(path: string, options?: Partial<RawRequestOptions>): Promise<TimedResponse>
}

/** An admin server on a free port, in front of a health with one database; both end with the test. */
export async function adminUnderTest(options: Partial<AdminOptions> = {}): Promise<AdminUnderTest> {
  const lines: string[] = []
  const log =
    (level: string) =>
    (line: string): void => {
      lines.push(`${level}: ${line}`)
    }
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const database = switchedCheck('database')
  const health = createHealth({ env: {}, logger, watchdog: false, databases: { default: database } })
  onTestFinished(() => health.close())
  const admin = await startAdmin({ health, port: 0, env: {}, logger, version: '1.2.3', ...options })
  onTestFinished(() => admin.close())
  const port = Number(new URL(admin.url ?? 'http://nowhere').port)
  return {
    ...{ admin, health, database, port, lines },
    ask: (path, request = {}) => rawRequest({ port, path, ...request }),
  }
}
