import { hostname } from 'node:os'
import { exchange } from '../checks/http/exchange.ts'
import { oneSocket } from '../checks/http/one-socket.ts'
import { readTarget } from '../checks/http/target.ts'
import { createProblems } from '../options/problems.ts'

/** Sends a notice once, on a connection of its own that is gone afterwards, and says with which status it was answered. Follows no redirect; rejects when there was no answer. */
export async function postNotice(url: string, notice: object, signal: AbortSignal): Promise<number> {
  const target = readTarget(url, undefined, createProblems())
  // only to the compiler: the settings have refused what is none
  if (target === undefined) throw new Error('the webhook has no URL')
  const body = JSON.stringify({ ...notice, host: hostname() })
  const headers = {
    'user-agent': 'baldur-health',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...target.headers,
  }
  const socket = oneSocket(target.address)
  try {
    await socket.connect(signal)
    const result = await exchange(socket.agent, { method: 'POST', path: target.path, headers, body }, signal)
    if ('status' in result) return result.status
    throw result.error
  } finally {
    socket.close()
  }
}
