import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { theKeeper } from './keeper.ts'
import type { ExitStatus } from './keeper-channel.ts'
import { minimalEnv } from './minimal-env.ts'
import { type OutputLines, outputLines } from './output-lines.ts'

export interface SpawnAppOptions {
  /** @default the running Node */
  command?: string
  args: readonly string[]
  /** Added to `baseEnv`. */
  env?: Readonly<Record<string, string>>
  /** What the environment starts from; `{}` makes `env` the whole of it. @default PATH, HOME and the like, nothing of the runner's own */
  baseEnv?: Readonly<Record<string, string>>
  /** @default that of the runner */
  cwd?: string
  /** The app counts as started once a line matches. @default as soon as it runs */
  readyPattern?: RegExp
  /** For `readyPattern`, and the default of `waitForLine`. Long enough for a busy machine. @default 30000 */
  timeoutMs?: number
}

export interface AppExit extends ExitStatus {
  /** From the start of the process to its end, in milliseconds. */
  ms: number
  /** From the first signal that was sent by `signal` or `stop`, if there was one. */
  sinceSignalMs: number | undefined
}

/** A program under test; it and its process group are killed when the runner ends, however that ends. */
export interface SpawnedApp extends Pick<OutputLines, 'lines' | 'stdout' | 'stderr'> {
  readonly pid: number
  /** The match of `readyPattern`, for the port and the like; `null` without a pattern. */
  readonly ready: RegExpMatchArray | null
  readonly exited: Promise<AppExit>
  /** Resolves with the match of the first line of either stream, past or future, that matches. */
  waitForLine(pattern: RegExp, options?: { timeoutMs?: number }): Promise<RegExpMatchArray>
  /** Signals the process, or its whole group as Ctrl-C in a terminal does. */
  signal(signal: NodeJS.Signals, target?: 'process' | 'group'): void
  /** SIGTERM, then after the grace SIGKILL; does nothing once the app has exited. @default 5000 ms of grace */
  stop(options?: { graceMs?: number }): Promise<AppExit>
}

/** How long output may still arrive after the exit, should a stranger hold the pipe open. */
const LAST_OUTPUT_MS = 1000

/** Starts a program; rejects with its output when it ends or the timeout comes before `readyPattern` matched. */
export async function spawnApp(options: SpawnAppOptions): Promise<SpawnedApp> {
  const { command = process.execPath, args, env, baseEnv = minimalEnv(), cwd = process.cwd() } = options
  const { readyPattern, timeoutMs: usualTimeoutMs = 30_000 } = options
  const keeper = await theKeeper()
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd,
    env: { ...baseEnv, ...env },
    // A group of its own, so that what it forked can be killed with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw (await once(child, 'error'))[0]
  const output = outputLines(child)
  let signalledAt: number | undefined

  const exited = exitOf(child).then(async ({ status, at }): Promise<AppExit> => {
    output.end()
    await keeper.unwatch(pid).catch(() => {}) // without a keeper nothing is watched
    return { ...status, ms: at - startedAt, sinceSignalMs: signalledAt && at - signalledAt }
  })
  await keeper.watch(pid)

  const signal: SpawnedApp['signal'] = (name, target = 'process') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    signalledAt ??= performance.now()
    process.kill(target === 'group' ? -pid : pid, name)
  }
  const waitForLine: SpawnedApp['waitForLine'] = (pattern, { timeoutMs = usualTimeoutMs } = {}) =>
    output.waitFor(pattern, timeoutMs)
  const stop: SpawnedApp['stop'] = async ({ graceMs = 5000 } = {}) => {
    signal('SIGTERM')
    const late = new AbortController()
    const killer = sleep(graceMs, undefined, { signal: late.signal }).then(
      () => signal('SIGKILL', 'group'),
      () => {},
    )
    const exit = await exited
    late.abort()
    await killer
    return exit
  }

  const ready =
    readyPattern === undefined
      ? null
      : await waitForLine(readyPattern).catch(async (error) => {
          await stop({ graceMs: 0 })
          throw error
        })
  const { lines, stdout, stderr } = output
  return { pid, ready, exited, lines, stdout, stderr, waitForLine, signal, stop }
}

async function exitOf(child: ChildProcess): Promise<{ status: ExitStatus; at: number }> {
  const closed = once(child, 'close')
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  const at = performance.now()
  killGroupOf(child)
  await Promise.race([closed, sleep(LAST_OUTPUT_MS, undefined, { ref: false })])
  return { status: { code, signal }, at }
}

/** What an app leaves running in its group ends with it. */
function killGroupOf({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // an empty group, as it should be
  }
}
