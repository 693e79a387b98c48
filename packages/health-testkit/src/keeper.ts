import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type ExitStatus, type KeeperChannel, keeperChannel } from './keeper-channel.ts'
import type { KeeperMessage, ProcessSpec } from './keeper-protocol.ts'
import { minimalEnv } from './minimal-env.ts'

/** A process that ends with its owner, however the owner ends. Once it has exited, it takes anything but a pause, without effect. */
export interface KeptProcess {
  readonly pid: number
  readonly exited: Promise<ExitStatus>
  signal(signal: NodeJS.Signals): Promise<void>
  /** Stops all processes of its tree. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Kills all processes of its tree. */
  kill(): Promise<void>
  /** The titles of all processes of its tree. */
  titles(): Promise<string[]>
}

export interface Keeper extends Pick<KeeperChannel, 'hold'> {
  /** A temporary folder that is removed with everything in it when the owner ends. */
  readonly folder: string
  start(spec: ProcessSpec, onOutput: (text: string) => void): Promise<KeptProcess>
  /** Kills this process group leader and its group when the owner ends. */
  watch(pid: number): Promise<void>
  unwatch(pid: number): Promise<void>
}

// One step up from both src/ and dist/.
const PROGRAM = fileURLToPath(new URL('../keeper/main.mjs', import.meta.url))

let current: Promise<Keeper> | undefined

/** This program's keeper, started at the first call. */
export function theKeeper(): Promise<Keeper> {
  current ??= startKeeper()
  return current
}

async function startKeeper(): Promise<Keeper> {
  const child = spawn(process.execPath, [PROGRAM], {
    // Its own process group: Ctrl-C in a terminal reaches the owner only, which then drains with its servers alive.
    detached: true,
    cwd: tmpdir(),
    env: minimalEnv(),
    // Nothing inherited, else whoever waits for the end of the owner's output would wait for the keeper too.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  const died = once(child, 'exit').then(() => {
    current = undefined
    return undefined
  })
  const first = await Promise.race([once(child, 'message'), died])
  const message = first?.[0] as KeeperMessage | undefined
  if (message?.about !== 'folder') throw new Error(`the keeper (${PROGRAM}) did not start`)
  return keeperOver(child, message.folder)
}

function keeperOver(child: ChildProcess, folder: string): Keeper {
  const channel = keeperChannel(child)
  return {
    folder,
    hold: channel.hold,
    start: (spec, onOutput) => startKept(channel, spec, onOutput),
    watch: (pid) => channel.ask('watch', { pid }),
    unwatch: (pid) => channel.ask('unwatch', { pid }),
  }
}

async function startKept(
  { ask, listen }: KeeperChannel,
  spec: ProcessSpec,
  onOutput: (text: string) => void,
): Promise<KeptProcess> {
  let key = 0
  const exited = new Promise<ExitStatus>((onExit) => {
    key = listen({ onOutput, onExit })
  })
  const pid = await ask('start', { key, spec })
  return {
    pid,
    exited,
    signal: (signal) => ask('signal', { key, signal }),
    pause: () => ask('pause', { key }),
    resume: () => ask('resume', { key }),
    kill: () => ask('kill', { key }),
    titles: () => ask('titles', { key }),
  }
}
