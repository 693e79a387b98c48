import { describe, expect, it } from 'vitest'
import type { ErrorType } from '../vocabulary/error-type.ts'
import { errorAnswer } from './error-answer.ts'
import { valuesOf } from './hop-by-hop.ts'

const STATUS: Readonly<Record<ErrorType, number>> = {
  request_timeout: 504,
  startup_timeout: 504,
  runner_scheduling_failure: 503,
  runner_connection_timeout: 503,
  runner_disconnected: 503,
  runner_connection_refused: 503,
  runner_connection_error: 503,
  runner_incomplete_response: 503,
  runner_server_error: 503,
  client_disconnected: 499,
  client_cancelled: 499,
  bad_request: 400,
  internal_error: 500,
}

describe('an error', () => {
  it.each(Object.entries(STATUS) as [ErrorType, number][])('%s is %d', (type, status) => {
    const answer = errorAnswer(type)
    expect(answer.status).toBe(status)
    const { detail, ...rest } = JSON.parse(answer.body)
    expect(rest).toEqual({ error_type: type })
    expect(detail).toMatch(/^[a-z][\w ,:-]+$/i)
    expect(valuesOf(answer.headers, 'x-baldur-error-type')).toEqual([type])
    expect(valuesOf(answer.headers, 'content-length')).toEqual([String(Buffer.byteLength(answer.body))])
    expect(valuesOf(answer.headers, 'content-type')).toEqual(['application/json; charset=utf-8'])
    expect(valuesOf(answer.headers, 'retry-after')).toEqual([])
  })

  it('may say more: other words, a status, when to come again, further headers', () => {
    const more = { detail: 'grüße', status: 405, retryAfterSeconds: 7, headers: ['Allow', 'GET'] }
    const answer = errorAnswer('bad_request', more)
    expect(answer.status).toBe(405)
    expect(JSON.parse(answer.body).detail).toBe('grüße')
    expect(valuesOf(answer.headers, 'content-length')).toEqual([String(Buffer.byteLength(answer.body))])
    expect(valuesOf(answer.headers, 'retry-after')).toEqual(['7'])
    expect(valuesOf(answer.headers, 'allow')).toEqual(['GET'])
  })
})
