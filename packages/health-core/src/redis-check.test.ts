import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type IoredisClient, redisCheck } from './redis.ts'

/** A client that answers when it is told to. */
function scripted(status = 'ready') {
  const answers: { resolve(value: unknown): void; reject(error: unknown): void }[] = []
  const ask = () => new Promise((resolve, reject) => answers.push({ resolve, reject }))
  const client = Object.assign(new EventEmitter(), {
    status,
    connect: async () => undefined,
    ping: ask,
    setrange: ask,
  })
  return { client: client as typeof client & IoredisClient, answers }
}

const signal = (): AbortSignal => new AbortController().signal

describe('redisCheck', () => {
  test.each([
    ['a URL', 'redis://joe:hunter2@x', 'a string'],
    ['options', { host: 'x', password: 'hunter2' }, 'a Object'],
    [
      'a client in legacy mode',
      {
        ...scripted().client,
        status: undefined,
        isReady: true,
        setRange: () => 1,
        on: () => 1,
        removeListener: () => 1,
        options: { legacyMode: true },
      },
      'a Object',
    ],
    ['nothing', undefined, 'undefined'],
  ])('refuses %s, and shows nothing of it', (_what, client, got) => {
    const attempt = (): unknown => redisCheck(client as never)
    expect(attempt).toThrow(
      /^a setting is wrong:\n {2}redisCheck\(client\): expected a client or cluster of ioredis/,
    )
    expect(attempt).toThrow(`got ${got}`)
    expect(attempt).not.toThrow(/hunter2/)
  })

  test('lists everything that is wrong in one error', () => {
    expect(() => redisCheck(1 as never, { requireWritable: 1, prefix: 'x' } as never)).toThrow(
      /^3 settings are wrong:\n.*redisCheck\(client\).*\n.*redisCheck\.prefix: .*\n.*requireWritable: expected true or false, got a number$/,
    )
  })

  test('a run that was aborted leaves its PING to the next run; only its answer makes room for another', async () => {
    const { client, answers } = scripted()
    const { run } = redisCheck(client)
    const first = new AbortController()
    const aborted = run(first.signal)
    first.abort(new Error('too late'))
    await expect(aborted).rejects.toThrow('too late')
    const second = run(signal())
    expect(answers).toHaveLength(1)
    answers[0]?.resolve('PONG')
    expect(await second).toBe(true)
    const third = run(signal())
    expect(answers).toHaveLength(2)
    answers[1]?.reject(Object.assign(new Error('LOADING Redis is loading'), { name: 'ReplyError' }))
    expect(await third).toEqual({ usable: false, code: 'LOADING' })
  })

  test('a PING that fails when nobody waits any more disturbs nobody', async () => {
    const { client, answers } = scripted()
    const { run } = redisCheck(client)
    const first = new AbortController()
    const aborted = run(first.signal)
    first.abort(new Error('too late'))
    await expect(aborted).rejects.toThrow('too late')
    answers[0]?.reject(new Error('Connection is closed.'))
    // an unhandled rejection fails the test run
    await new Promise((resolve) => setImmediate(resolve))
    expect(client.listenerCount('close')).toBe(0)
  })

  test.each(['reconnecting', 'close', 'end', 'connecting'])(
    'a client that is %s is sent nothing, and fails at once',
    async (status) => {
      const { client, answers } = scripted(status)
      await expect(redisCheck(client).run(signal())).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
      expect(answers).toHaveLength(0)
    },
  )

  test('a connection in the making is waited for, until it is there, failed or out of time', async () => {
    const { client } = scripted('connecting')
    const { connect } = redisCheck(client)
    for (const event of ['ready', 'close', 'end']) {
      const made = connect?.(signal())
      client.emit(event)
      await made
    }
    const late = new AbortController()
    const slow = connect?.(late.signal)
    late.abort(new Error('too late'))
    await expect(slow).rejects.toThrow('too late')
    // of its own, for as long as it lives, there is one
    expect([client.listenerCount('ready'), client.listenerCount('close')]).toEqual([1, 0])
  })

  test('a connection that is lost ends the run, whatever becomes of the command', async () => {
    const { client } = scripted()
    const { run } = redisCheck(client)
    const lost = run(signal())
    client.on('error', () => undefined)
    client.emit('error', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
    client.emit('close')
    await expect(lost).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('hears an error only where the application handles it, and stands in nobody’s way', () => {
    const { client } = scripted()
    redisCheck(client)
    expect(client.listenerCount('error')).toBe(0)
    expect(() => client.emit('error', new Error('yours to handle'))).toThrow('yours to handle')
  })

  test.each([
    ['Command timed out', undefined, { code: 'TIMEOUT' }],
    ["Stream isn't writeable and enableOfflineQueue options is false", undefined, { code: 'NOT_CONNECTED' }],
    ['ERR unknown command', 'ReplyError', { message: 'ERR unknown command' }],
  ])('%s is thrown with its code', async (message, name, expected) => {
    const { client, answers } = scripted()
    const run = redisCheck(client).run(signal())
    answers[0]?.reject(Object.assign(new Error(message), name === undefined ? {} : { name }))
    await expect(run).rejects.toMatchObject(expected)
  })

  test('carries its policy, and says how the client is', () => {
    const check = redisCheck(scripted('reconnecting').client, { name: 'cache', critical: false, fall: 2 })
    expect(check).toMatchObject({ name: 'cache', vendor: 'redis', critical: false, fall: 2 })
    expect(check.stats?.()).toEqual({ connection: 'reconnecting' })
  })
})
