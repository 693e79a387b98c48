import { describe, expect, it } from 'vitest'
import { isCodedBeyondChunks, readAnswer, readNeedsRetry } from './read-answer.ts'

const BALDUR = 'X-Baldur-Needs-Retry'
const FAL = 'X-Fal-Needs-Retry'

describe('what an answer says of a retry', () => {
  it.each<[readonly string[], boolean | undefined]>([
    [[], undefined],
    [[FAL, '1'], true],
    [[FAL, '0'], false],
    [[BALDUR, '1'], true],
    [[BALDUR, '0'], false],
    [[FAL, '0', BALDUR, '1'], true],
    [[BALDUR, '0', FAL, '1'], false],
    [['x-fal-needs-retry', '1'], true],
    [[FAL, 'yes'], undefined],
    [[FAL, ''], undefined],
    [[FAL, '01'], undefined],
    [[BALDUR, 'maybe', FAL, '1'], true],
    [[FAL, '1', FAL, '0'], true],
  ])('%j is %s', (headers, said) => {
    expect(readNeedsRetry(headers)).toBe(said)
    const head = readAnswer(200, ['A', '1', ...headers])
    expect(head).toEqual({ status: 200, headers: ['A', '1'], needsRetry: said })
  })
})

describe('the head of an answer', () => {
  it('loses what is of the connection, an id that is not ours, and the mark of an error that is not ours', () => {
    const headers = [
      ...['Connection', 'close, x-a', 'X-A', '1', 'X-B', '2', 'x-baldur-request-id', 'forged'],
      ...['x-baldur-error-type', 'request_timeout'],
    ]
    expect(readAnswer(404, headers).headers).toEqual(['X-B', '2'])
  })

  it('has no length where it can have no body', () => {
    expect(readAnswer(204, ['Content-Length', '5']).headers).toEqual([])
    expect(readAnswer(200, ['Content-Length', '5', 'Transfer-Encoding', 'chunked']).headers).toEqual([])
    expect(readAnswer(304, ['Content-Length', '5']).headers).toEqual(['Content-Length', '5'])
  })

  it.each<[readonly string[], boolean]>([
    [[], false],
    [['Transfer-Encoding', 'chunked'], false],
    [['Transfer-Encoding', 'Chunked'], false],
    [['Transfer-Encoding', 'gzip, chunked'], true],
    [['Transfer-Encoding', 'gzip', 'Transfer-Encoding', 'chunked'], true],
    [['Content-Encoding', 'gzip'], false],
  ])('%j is coded beyond chunks: %s', (headers, isCoded) => {
    expect(isCodedBeyondChunks(headers)).toBe(isCoded)
  })
})
