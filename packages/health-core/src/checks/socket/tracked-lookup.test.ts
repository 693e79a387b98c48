import type { LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { openSocket } from './open-socket.ts'
import { trackedLookup } from './tracked-lookup.ts'

test('an abandoned connection is not over before its look-up is, so that one thread is held and not one a run', async () => {
  const pending: Parameters<LookupFunction>[2][] = []
  const lookups = trackedLookup((_host, _options, callback) => pending.push(callback))
  const controller = new AbortController()
  let outcome = 'pending'
  const opening = openSocket({ host: 'slow.example', port: 80 }, controller.signal, lookups).catch(
    (error) => {
      outcome = String(error)
    },
  )
  await expect.poll(() => pending.length).toBe(1)
  controller.abort('too late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(outcome).toBe('pending')
  pending[0]?.(null, [{ address: '127.0.0.1', family: 4 }] as never, 4)
  await opening
  expect(outcome).toBe('too late')
})

test('a look-up that fails is told, and is over', async () => {
  const lookups = trackedLookup((_host, _options, callback) =>
    callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '', 4),
  )
  const opening = openSocket({ host: 'x.example', port: 80 }, new AbortController().signal, lookups)
  await expect(opening).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await lookups.idle()
})

test('a signal that has aborted opens nothing', async () => {
  const lookups = trackedLookup(() => expect.unreachable())
  const opening = openSocket({ host: 'x.example', port: 80 }, AbortSignal.abort('no'), lookups)
  await expect(opening).rejects.toBe('no')
})
