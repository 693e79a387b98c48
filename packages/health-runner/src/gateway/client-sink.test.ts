import { connect } from 'node:net'
import { until } from 'health-testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { httpRunner, tidy } from '../testing/gateway-under-test.ts'
import { clientSink } from './client-sink.ts'

const tidied = tidy()
afterEach(() => tidied.all())

describe('a client', () => {
  it('that does not take the end of its answer is let go', async () => {
    let isClosed = false
    const { port } = await httpRunner(tidied, (_, response) => {
      response.once('close', () => {
        isClosed = true
      })
      const sink = clientSink(response, { idleMs: 200, requestId: 'id' })
      sink.head({ status: 200, headers: [], needsRetry: undefined })
      sink.data(Buffer.alloc(16_000_000))
      sink.end()
    })
    const client = connect(port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => isClosed)
    client.destroy()
  })

  it('that takes its answer slowly, but takes it, is not', async () => {
    const { port } = await httpRunner(tidied, (_, response) => {
      const sink = clientSink(response, { idleMs: 2_000, requestId: 'id' })
      sink.head({ status: 200, headers: [], needsRetry: undefined })
      sink.data(Buffer.alloc(16_000_000))
      sink.end()
    })
    const client = connect(port, '127.0.0.1')
    let bytes = 0
    client.on('data', (data) => {
      bytes += data.length
      client.pause()
      // all of it takes longer than the bound, each pause a hundredth
      setTimeout(() => client.resume(), 10)
    })
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => bytes > 16_000_000, { timeoutMs: 50_000 })
    expect(client.destroyed).toBe(false)
    client.destroy()
  })
})
