import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Clock, Logger } from '@baldur/health-core'
import { CONTROL_NAME, CONTROL_PATH } from '../control/protocol.ts'
import { crashBackoff } from '../rules/crash-backoff.ts'
import { FIXED } from '../settings/defaults.ts'
import { messageOf } from './message-of.ts'

/** The process that ends the runners when this one is gone. */
export interface Keeper {
  /** It ends this group, too. */
  watch(pid: number): void
  /** The group is gone; what the runner of this name has left elsewhere is ended. */
  unwatch(pid: number, name: string): void
  /** Ends it, and whatever it finds: SIGTERM, and SIGKILL `killMs` later. Resolves when it has ended. */
  end(killMs: number): Promise<void>
}

export interface KeeperParts {
  readonly folder: string
  readonly controlPath: string
  readonly logger: Logger
  readonly clock: Clock
}

const PROGRAM = fileURLToPath(
  // built, it lies beside all others
  new URL(import.meta.url.endsWith('.ts') ? './keeper/main.mjs' : './keeper.js', import.meta.url),
)

/** Starts the keeper, and starts it again whenever it dies. Rejects when it does not run at all. */
export async function startKeeper({ folder, controlPath, logger, clock }: KeeperParts): Promise<Keeper> {
  const watched = new Set<number>()
  let isEnding = false
  /** In a row, each soon after its start. */
  let deaths = 0
  let cancelRestart: (() => void) | undefined
  const orders = JSON.stringify({
    folder,
    mark: `${CONTROL_PATH}=${controlPath}`,
    nameVariable: CONTROL_NAME,
    killMs: FIXED.keeperKillMs,
    settleMs: FIXED.keeperSettleMs,
    pollMs: FIXED.portPollMs,
  })

  const launch = () => {
    const child = spawn(process.execPath, [PROGRAM, orders], {
      // a session of its own: what a terminal sends does not reach it
      detached: true,
      cwd: '/',
      // no variable of a runner, else it would find itself
      env: {},
      // nothing inherited, else whoever waits for the end of our output would wait for it, too
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const ended = new Promise<string>((resolve) => {
      child.on('error', (error) => resolve(messageOf(error)))
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    // there are no pipes when there are no more files to be had
    const pipe: Writable | undefined = child.stdin
    // it is gone: its exit is what counts
    pipe?.on('error', (error) => logger.debug(`runner: the keeper's pipe: ${error.message}`))
    const say = (order: object): void => void pipe?.write(`${JSON.stringify(order)}\n`)
    for (const pid of watched) say({ watch: pid })
    return { child, pipe, ended, say }
  }
  /** It keeps nobody alive who has nothing else to do. */
  const detach = ({ child }: ReturnType<typeof launch>): void => {
    child.unref()
    for (const pipe of [child.stdin, child.stdout]) (pipe as { unref?(): void } | undefined)?.unref?.()
  }

  let current = launch()
  const watchOver = ({ ended }: typeof current): void => {
    const startedAt = clock.now()
    void ended.then((how) => {
      if (isEnding) return
      deaths = clock.now() - startedAt > FIXED.maxCrashBackoffMs ? 1 : deaths + 1
      const delayMs = crashBackoff(deaths - 1, FIXED.crashBackoffMs, FIXED.maxCrashBackoffMs)
      logger.warn(`runner: the keeper ended (${how}) and is started again in ${delayMs} ms`)
      cancelRestart = clock.after(delayMs, () => {
        current = launch()
        detach(current)
        watchOver(current)
      })
    })
  }
  const { stdout } = current.child
  const isUp = stdout === undefined ? current.ended : once(stdout, 'data').then(() => 'ready')
  const first = await Promise.race([isUp, current.ended])
  if (first !== 'ready') throw new Error(`the keeper of the runners' processes did not start: ${first}`)
  detach(current)
  watchOver(current)

  return {
    watch: (pid) => {
      watched.add(pid)
      current.say({ watch: pid })
    },
    unwatch: (pid, name) => {
      watched.delete(pid)
      current.say({ unwatch: pid, name })
    },
    end: async (killMs) => {
      isEnding = true
      cancelRestart?.()
      current.child.ref()
      current.say({ isOver: true, killMs })
      current.pipe?.end()
      await current.ended
    },
  }
}
