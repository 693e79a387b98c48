import { describe, expect, it } from 'vitest'
import { classifyOutcome } from './classify-outcome.ts'

describe('a request outcome', () => {
  it.each([
    ['a switch of protocols', { kind: 'answered', status: 101 }, 'healthy'],
    ['success', { kind: 'answered', status: 200 }, 'healthy'],
    ['a redirection', { kind: 'answered', status: 302 }, 'healthy'],
    ['an error of the client', { kind: 'answered', status: 404 }, 'healthy'],
    ['too many requests', { kind: 'answered', status: 429 }, 'healthy'],
    ['499', { kind: 'answered', status: 499 }, 'healthy'],
    ['an error of the app', { kind: 'answered', status: 500 }, 'nothing'],
    ['an upstream that is broken', { kind: 'answered', status: 502 }, 'nothing'],
    ['an app that is not available', { kind: 'answered', status: 503 }, 'answered_503'],
    ['an upstream that is slow', { kind: 'answered', status: 504 }, 'nothing'],
    ['599', { kind: 'answered', status: 599 }, 'nothing'],
    ['a break before the answer', { kind: 'broken', type: 'runner_disconnected' }, 'connection_broken'],
    ['a refusal', { kind: 'broken', type: 'runner_connection_refused' }, 'connection_broken'],
    ['half an answer', { kind: 'broken', type: 'runner_incomplete_response' }, 'connection_broken'],
    ['no answer in time', { kind: 'timed_out' }, 'timed_out'],
    ['a client that left', { kind: 'inconclusive' }, 'nothing'],
  ] as const)('of %s is told right', (_, outcome, verdict) => expect(classifyOutcome(outcome)).toBe(verdict))
})
