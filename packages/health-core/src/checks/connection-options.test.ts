import { describe, expect, it } from 'vitest'
import { mysqlCheck } from './mysql/mysql-check.ts'
import { postgresCheck } from './postgres/postgres-check.ts'

class PrismaClient {
  readonly _engine = { datasource: 'postgres://joe:hunter2@db/x' }
  $queryRaw(): void {}
}
class Settings {
  readonly host = '127.0.0.1'
  readonly port = 1
}
const drizzle = { _: { schema: {} }, $client: {}, session: {}, select: (): void => undefined }

describe.each([
  ['postgresCheck', postgresCheck, 'hst', 'host'],
  ['mysqlCheck', mysqlCheck, 'prt', 'port'],
] as const)('%s', (name, check, typo, meant) => {
  const attempt = (source: object) => (): unknown => check(source as never)

  it('an option with a typo is refused, and the near one is named', () => {
    expect(attempt({ host: '127.0.0.1', port: 1, [typo]: 'x' })).toThrow(
      new RegExp(`${name}\\(source\\)\\.${typo}: .*did you mean ${meant}\\?`),
    )
    expect(attempt({ hst: 'x', prt: 5 })).toThrow(/^2 settings are wrong:/)
    expect(attempt({ host: 'x', databse: 'y' })).toThrow(/did you mean database\?/)
  })

  it('a client of another library is refused, and the error tells how to check it', () => {
    expect(attempt(new PrismaClient())).toThrow(
      /expected .*for another client write a check.*run: \(\) => client\.query\('SELECT 1'\) \}, got a PrismaClient$/,
    )
    expect(attempt(drizzle)).toThrow(/is wrong:/)
    expect(attempt(new PrismaClient())).not.toThrow(/hunter2/)
  })

  it('options that name no server are refused', () => {
    expect(attempt({ pass: 'hunter2' })).toThrow(/got the options pass$/)
    expect(attempt({})).toThrow(/with at least one of host, .*, got an empty object$/)
    expect(attempt({ password: 'hunter2' })).toThrow(/got the options password$/)
    expect(attempt({ password: 'hunter2' })).not.toThrow(/hunter2/)
  })

  it('an option that is near to no known one is left to the driver', () => {
    expect(attempt({ host: '127.0.0.1', an_option_of_tomorrow: 1 })).not.toThrow()
  })

  it('options of a class that names a server are taken', () => {
    expect(attempt(new Settings())).not.toThrow()
    expect(attempt(Object.assign(Object.create(null), { host: '127.0.0.1' }))).not.toThrow()
  })
})
