import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Keeper, KeptProcess } from './keeper.ts'

/** A server of one's own: loopback only, gone with the program that started it. */
export interface PrivateServer {
  readonly url: string
  readonly port: number
  readonly dir: string
  /** Of the server that runs, or ran last. */
  readonly pid: number
  /** Stops all its processes where they are: connections stay open, TCP still connects, nothing answers; rejects when there is none. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Kills all its processes at once; the folder stays as they left it. */
  crash(): Promise<void>
  /** Starts it again on the same folder and port, also after `crash()` or `stop({ keepDir: true })`. */
  restart(): Promise<void>
  /** Shuts it down, breaking off what runs, and removes the folder unless it was given or is to be kept. */
  stop(options?: { keepDir?: boolean }): Promise<void>
}

interface ServerPlan {
  readonly keeper: Keeper
  readonly url: string
  readonly port: number
  readonly dir: string
  /** Whether the folder is somebody else's, and stays. */
  readonly isGiven: boolean
  /** Asks it to end and to break off what runs. */
  readonly endSignal: NodeJS.Signals
  run(): Promise<KeptProcess>
  /** Clears away what a killed one leaves outside its folder. */
  afterCrash?(): void
}

const SHUTDOWN_MS = 5000

/** Starts a server and gives what breaks and mends it; the second value tells its process of the moment. */
export async function privateServer({
  keeper,
  url,
  port,
  dir,
  isGiven,
  endSignal,
  run,
  afterCrash = () => {},
}: ServerPlan): Promise<[server: PrivateServer, current: () => KeptProcess]> {
  const remove = async () => {
    if (!isGiven) await rm(dir, { recursive: true, force: true })
  }
  let kept = await run().catch(async (error) => {
    await remove()
    throw error
  })
  let removed = false

  const shutDown = async () => {
    await kept.signal(endSignal)
    await kept.resume() // a paused server obeys only after this
    await keeper.hold(Promise.race([kept.exited, sleep(SHUTDOWN_MS, undefined, { ref: false })]))
    await kept.kill()
  }
  const server: PrivateServer = {
    url,
    port,
    dir,
    get pid() {
      return kept.pid
    },
    pause: () => kept.pause(),
    resume: () => kept.resume(),
    async crash() {
      await kept.kill()
      afterCrash()
    },
    async restart() {
      if (removed)
        throw new Error('the server was stopped and its folder removed: stop it with { keepDir: true }')
      await shutDown()
      kept = await run()
    },
    async stop({ keepDir = false } = {}) {
      await shutDown()
      if (keepDir) return
      removed = true
      await remove()
    },
  }
  return [server, () => kept]
}
