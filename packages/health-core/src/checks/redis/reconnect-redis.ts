import { createProblems } from '../../options/problems.ts'
import type { Heal } from '../../vocabulary/heal.ts'

/** A client of `ioredis`: `Redis`, with Sentinel or without, or `Cluster`. */
interface Ioredis {
  readonly status: string
  connect(): Promise<unknown>
  disconnect(reconnect: boolean): void
  on(event: 'ready', listener: () => void): unknown
  removeListener(event: 'ready', listener: () => void): unknown
}

/** A client of `redis`; `destroy` came with its version 5. */
interface NodeRedis {
  readonly isOpen: boolean
  connect(): Promise<unknown>
  destroy?(): void
  disconnect(): Promise<unknown>
}

const has = (client: unknown, names: readonly string[]): boolean =>
  typeof client === 'object' &&
  client !== null &&
  names.every((name) => typeof (client as Record<string, unknown>)[name] === 'function')

const isIoredis = (client: unknown): client is Ioredis =>
  has(client, ['connect', 'disconnect', 'on', 'removeListener']) &&
  typeof (client as Ioredis).status === 'string'

const isNodeRedis = (client: unknown): client is NodeRedis =>
  has(client, ['connect', 'disconnect']) && typeof (client as NodeRedis).isOpen === 'boolean'

/** Settles as `made` does, or rejects when the signal aborts. */
async function until(made: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let stop = (): void => undefined
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([made, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function reconnectIoredis(client: Ioredis, signal: AbortSignal): Promise<void> {
  // it has given up, or never began: it connects only when it is told
  if (client.status === 'end' || client.status === 'wait') return until(client.connect(), signal)
  let ready = (): void => undefined
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
    client.on('ready', ready)
  })
  try {
    client.disconnect(true)
    await until(isReady, signal)
  } finally {
    client.removeListener('ready', ready)
  }
}

async function reconnectNodeRedis(client: NodeRedis, signal: AbortSignal): Promise<void> {
  if (client.isOpen) {
    if (client.destroy === undefined) await client.disconnect()
    else client.destroy()
  }
  await until(client.connect(), signal)
}

/**
 * A `heal.run` that drops the connection of a Redis client and makes it anew: a client whose server stalled or went away
 * without a word does not notice by itself, and one that has given up stays so. Takes a client of `ioredis` or `redis`; what
 * waits for an answer then fails. Throws a `HealthConfigError` for anything else.
 */
export function reconnectRedis(client: object): Heal['run'] {
  const problems = createProblems()
  const isKnown = isIoredis(client) || isNodeRedis(client)
  if (!isKnown) problems.add('reconnectRedis(client)', 'a client of ioredis or redis', client)
  problems.throwIfAny()
  return (signal) =>
    isIoredis(client)
      ? reconnectIoredis(client, signal)
      : reconnectNodeRedis(client as unknown as NodeRedis, signal)
}
