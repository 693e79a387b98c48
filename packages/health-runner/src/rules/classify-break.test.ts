import { describe, expect, it } from 'vitest'
import {
  type BreakError,
  CONNECT_TIMED_OUT,
  classifyBreak,
  isRefusedBody,
  NO_HTTP,
  type Progress,
  RUNNER_RESET,
} from './classify-break.ts'

const coded = (code: string, message = ''): BreakError => ({ code, message })
const parsers = (message: string): BreakError => ({ name: 'HTTPParserError', message })

describe('a reset behind the head of an answer', () => {
  it.each<[string, string, number, boolean, boolean]>([
    ['refused a body that came on', RUNNER_RESET, 431, true, true],
    ['refused it with another 4xx', RUNNER_RESET, 413, true, true],
    ['had no body to refuse', RUNNER_RESET, 431, false, false],
    ['did not refuse', RUNNER_RESET, 200, true, false],
    ['failed', RUNNER_RESET, 500, true, false],
    ['ended too early', 'UND_ERR_SOCKET', 431, true, false],
    ['was no HTTP', 'HPE_INVALID_CHUNK_SIZE', 431, true, false],
  ])('of a runner that %s', (_, code, status, hadBody, is) => {
    expect(isRefusedBody({ code, message: '' }, { status, hadBody })).toBe(is)
  })
})

describe('a break', () => {
  it.each<[Progress, BreakError, string, string]>([
    ['connecting', coded('ECONNREFUSED'), 'runner_connection_refused', 'broken'],
    ['connecting', coded(CONNECT_TIMED_OUT), 'runner_connection_timeout', 'broken'],
    ['connecting', coded('ETIMEDOUT'), 'runner_connection_timeout', 'broken'],
    ['connecting', coded('EHOSTUNREACH'), 'runner_connection_error', 'broken'],
    ['connecting', coded(RUNNER_RESET), 'runner_connection_error', 'broken'],
    // this machine's own want is no evidence about a runner
    ['connecting', coded('EMFILE'), 'runner_connection_error', 'inconclusive'],
    ['connecting', coded('ENFILE'), 'runner_connection_error', 'inconclusive'],
    ['connecting', coded('EADDRNOTAVAIL'), 'runner_connection_error', 'inconclusive'],
    ['connecting', coded('ENOBUFS'), 'runner_connection_error', 'inconclusive'],
    ['sent', coded('EMFILE'), 'runner_connection_error', 'broken'],
    ['sent', coded('ECONNREFUSED'), 'runner_connection_error', 'broken'],
    ['sent', coded(RUNNER_RESET), 'runner_disconnected', 'broken'],
    ['sent', coded('ECONNRESET'), 'runner_disconnected', 'broken'],
    ['sent', coded('EPIPE'), 'runner_disconnected', 'broken'],
    ['sent', coded('UND_ERR_SOCKET', 'other side closed'), 'runner_disconnected', 'broken'],
    ['sent', coded('UND_ERR_SOCKET', 'bad response'), 'runner_server_error', 'broken'],
    ['sent', coded('UND_ERR_SOCKET', 'bad upgrade'), 'runner_server_error', 'broken'],
    ['sent', coded('UND_ERR_HEADERS_OVERFLOW'), 'runner_server_error', 'broken'],
    ['sent', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'runner_server_error', 'broken'],
    ['sent', coded('HPE_INVALID_CONSTANT'), 'runner_server_error', 'broken'],
    ['sent', parsers('Response does not match (Expected HTTP/)'), 'runner_server_error', 'broken'],
    ['sent', coded(NO_HTTP), 'runner_server_error', 'broken'],
    ['sent', { message: 'whatever' }, 'runner_connection_error', 'broken'],
    ['head', coded(RUNNER_RESET), 'runner_incomplete_response', 'broken'],
    ['head', coded('UND_ERR_SOCKET', 'other side closed'), 'runner_incomplete_response', 'broken'],
    ['head', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'runner_incomplete_response', 'broken'],
    ['head', coded('HPE_INVALID_EOF_STATE'), 'runner_incomplete_response', 'broken'],
    ['head', parsers('Response does not match (Invalid EOF state)'), 'runner_incomplete_response', 'broken'],
    [
      'head',
      parsers('Response does not match (Invalid character in chunk size)'),
      'runner_server_error',
      'broken',
    ],
    ['head', coded(NO_HTTP), 'runner_server_error', 'broken'],
    ['head', { message: 'whatever' }, 'runner_connection_error', 'broken'],
  ])('while %s: %j is %s, and the outcome is %s', (progress, error, type, kind) => {
    const { type: named, outcome } = classifyBreak(error, progress)
    expect(named).toBe(type)
    expect(outcome).toEqual(kind === 'broken' ? { kind, type } : { kind })
  })
})
