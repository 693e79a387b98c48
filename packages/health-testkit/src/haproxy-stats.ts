import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** What HAProxy has counted since it started; every one of them is a fault, or an attempt to hide one. */
export interface HaproxyFaults {
  /** Requests that it could not send, or sent and gave up. */
  readonly retries: number
  /** Retries that went to another server. */
  readonly redispatches: number
  readonly connectionErrors: number
  readonly responseErrors: number
  /** Transfers that a server broke off. */
  readonly serverAborts: number
  /** Transfers that a client broke off. */
  readonly clientAborts: number
  /** What clients got, from servers and from HAProxy itself. */
  readonly answers4xx: number
  readonly answers5xx: number
}

export interface HaproxyServer {
  /** `UP` and `DOWN`; on the way from one to the other `UP 1/2` and the like. */
  readonly status: string
  /** How often its checks took it out. */
  readonly downs: number
  readonly requests: number
  /** Connections that were opened to it, and requests that were sent on one that was open. */
  readonly connects: number
  readonly reuses: number
}

export interface HaproxyStats {
  readonly faults: HaproxyFaults
  /** By name. */
  readonly servers: Readonly<Record<string, HaproxyServer>>
}

type Row = Readonly<Record<string, string>>

/** Asks a running HAProxy on the port of its stats socket. */
export async function haproxyStats(port: number): Promise<HaproxyStats> {
  const socket = connect(port, '127.0.0.1')
  // it answers one line and closes; a client that ends its side first gets no answer
  socket.write('show stat\n')
  return readStats(await text(socket))
}

/** Reads what `show stat` prints. */
export function readStats(csv: string): HaproxyStats {
  const [head = '', ...lines] = csv
    .replace(/^# /, '')
    .split('\n')
    .filter((line) => line !== '')
  const names = head.split(',')
  const rows = lines.map((line): Row => {
    const values = line.split(',')
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  })
  const rowOf = (name: string): Row => {
    const row = rows.find(({ svname }) => svname === name)
    if (row === undefined) throw new Error(`HAProxy's statistics have no ${name}: ${csv}`)
    return row
  }
  const [front, back] = [rowOf('FRONTEND'), rowOf('BACKEND')]
  const servers = rows.filter(({ svname }) => svname !== 'FRONTEND' && svname !== 'BACKEND')
  return {
    faults: {
      retries: numberIn(back, 'wretr'),
      redispatches: numberIn(back, 'wredis'),
      connectionErrors: numberIn(back, 'econ'),
      responseErrors: numberIn(back, 'eresp'),
      serverAborts: numberIn(back, 'srv_abrt'),
      clientAborts: numberIn(back, 'cli_abrt'),
      answers4xx: numberIn(front, 'hrsp_4xx'),
      answers5xx: numberIn(front, 'hrsp_5xx'),
    },
    servers: Object.fromEntries(
      servers.map((row) => [
        row.svname,
        {
          status: row.status ?? '',
          downs: numberIn(row, 'chkdown'),
          requests: numberIn(row, 'stot'),
          connects: numberIn(row, 'connect'),
          reuses: numberIn(row, 'reuse'),
        },
      ]),
    ),
  }
}

/** Zero would hide that a column is not there. */
function numberIn(row: Row, name: string): number {
  const value = row[name]
  if (value === undefined || !/^\d+$/.test(value)) {
    throw new Error(`HAProxy's statistics of ${row.svname} have no number ${name}: ${JSON.stringify(row)}`)
  }
  return Number(value)
}
