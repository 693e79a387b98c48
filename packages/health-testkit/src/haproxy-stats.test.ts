import { describe, expect, it } from 'vitest'
import { readStats } from './haproxy-stats.ts'

const COLUMNS =
  'svname,stot,econ,eresp,wretr,wredis,status,chkdown,hrsp_4xx,hrsp_5xx,cli_abrt,srv_abrt,connect,reuse'
const csv = (rows: readonly string[]): string =>
  `# pxname,${COLUMNS},\n${rows.map((row) => `p,${row},\n`).join('')}\n`
const FRONT = 'FRONTEND,9,,,,,OPEN,,4,5,,,,'
const BACK = 'BACKEND,9,3,2,7,6,UP,0,0,1,8,1,3,6'

describe('readStats', () => {
  it('takes the clients’ answers from the front, all else from the back, and each server by its name', () => {
    const { faults, servers } = readStats(csv([FRONT, 'a,5,1,1,0,0,UP 1/2,3,0,1,0,0,2,4', BACK]))
    expect(faults).toEqual({
      retries: 7,
      redispatches: 6,
      connectionErrors: 3,
      responseErrors: 2,
      serverAborts: 1,
      clientAborts: 8,
      answers4xx: 4,
      answers5xx: 5,
    })
    expect(servers).toEqual({ a: { status: 'UP 1/2', downs: 3, requests: 5, connects: 2, reuses: 4 } })
  })

  it('takes nothing for zero that is not there', () => {
    expect(() => readStats('')).toThrow('have no FRONTEND')
    expect(() => readStats(csv([FRONT, BACK.replace(',7,', ',,')]))).toThrow('no number wretr')
    expect(() => readStats(csv([FRONT, BACK]).replace('wretr', 'other'))).toThrow('no number wretr')
  })
})
