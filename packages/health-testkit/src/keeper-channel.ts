import type { ChildProcess } from 'node:child_process'
import type { KeeperMessage, KeeperOperations } from './keeper-protocol.ts'

export interface ExitStatus {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Hears of one process of the keeper's. */
interface ProcessListener {
  onOutput(text: string): void
  onExit(status: ExitStatus): void
}

export interface KeeperChannel {
  /** Resolves with the keeper's reply, rejects with its refusal or when it is gone. */
  ask<Op extends keyof KeeperOperations>(
    op: Op,
    takes: KeeperOperations[Op]['takes'],
  ): Promise<KeeperOperations[Op]['gives']>
  /** Gives the key by which the process is named, before the process exists, so that nothing of it is missed. */
  listen(listener: ProcessListener): number
  /** Keeps the owner alive until the promise settles: the keeper by itself never does. */
  hold<T>(promise: Promise<T>): Promise<T>
}

/** The owner's end of the channel to a keeper. */
export function keeperChannel(child: ChildProcess): KeeperChannel {
  const listeners = new Map<number, ProcessListener>()
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastNumber = 0
  let holders = 0

  child.on('message', (message: KeeperMessage) => {
    if (message.about === 'reply') pending.get(message.id)?.resolve(message.value)
    if (message.about === 'failure') pending.get(message.id)?.reject(new Error(message.message))
    if (message.about === 'output') listeners.get(message.key)?.onOutput(message.text)
    if (message.about === 'exit') {
      listeners.get(message.key)?.onExit({ code: message.code, signal: message.signal })
      listeners.delete(message.key)
    }
  })
  child.once('exit', () => {
    for (const { reject } of pending.values()) reject(new Error('the keeper is gone'))
    // It ends its processes before itself.
    for (const { onExit } of listeners.values()) onExit({ code: null, signal: 'SIGKILL' })
  })
  child.channel?.unref()

  const hold = async <T>(promise: Promise<T>): Promise<T> => {
    holders += 1
    child.channel?.ref()
    try {
      return await promise
    } finally {
      holders -= 1
      if (holders === 0) child.channel?.unref()
    }
  }

  return {
    hold,
    listen(listener) {
      lastNumber += 1
      listeners.set(lastNumber, listener)
      return lastNumber
    },
    ask<Op extends keyof KeeperOperations>(op: Op, takes: KeeperOperations[Op]['takes']) {
      lastNumber += 1
      const id = lastNumber
      const replied = new Promise<unknown>((resolve, reject) => {
        pending.set(id, { resolve, reject })
        child.send({ id, op, takes }, (error) => error && reject(error))
      })
      return hold(replied.finally(() => pending.delete(id))) as Promise<KeeperOperations[Op]['gives']>
    },
  }
}
