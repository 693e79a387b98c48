import type { Clock } from '@baldur/health-core'
import { Client, type Dispatcher } from 'undici'
import { FIXED } from '../settings/defaults.ts'
import type { RunnerAddress } from '../vocabulary/fleet.ts'
import { openConnection } from './open-connection.ts'
import { skipContinue } from './skip-continue.ts'

/** A client for one request: its connection is never used twice, so that every break is real evidence. It has no timeouts of its own. */
export function runnerClient(runner: RunnerAddress, clock: Clock): Client {
  return new Client(`http://${runner.host}:${runner.port}`, {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: FIXED.answerHeadBytes,
    connect: (_, onOpen) => skipContinue(openConnection(runner, { clock }, onOpen), FIXED.answerHeadBytes),
  })
}

/** The headers of the answer under way as they came, names and values in turn. */
export function rawHeadersOf({ rawHeaders }: Dispatcher.DispatchController): readonly string[] {
  return (rawHeaders as readonly (Buffer | string)[]).map((part) =>
    typeof part === 'string' ? part : part.toString('latin1'),
  )
}
