import { type ChildProcess, spawn } from 'node:child_process'
import type { Logger } from '@baldur/health-core'
import { hasEnded, isGroupAlive } from './keeper/process-table.mjs'
import { messageOf } from './message-of.ts'
import { whyNotStarted } from './why-not-started.ts'

/** The first process of a runner, and its group. */
export interface RunnerProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined
  /** Signals the whole group; one that is gone hears nothing. */
  signal(name: NodeJS.Signals): void
  isGroupAlive(): boolean
  /** Its exit is about to be told. */
  hasEnded(): boolean
}

export interface ProcessSpec {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  /** Once, and never before this call returns: how the first process ended. */
  onExit(detail: string): void
}

/** Starts the process in a group of its own. Never throws: what cannot be started has ended. */
export function startProcess({ command, cwd, env, logger, onExit }: ProcessSpec): RunnerProcess {
  const [program, ...args] = command
  const cannot = (error: unknown): void =>
    onExit(`it could not be started: ${whyNotStarted(error, program, cwd)}`)
  let child: ChildProcess
  try {
    child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  } catch (error) {
    queueMicrotask(() => cannot(error))
    return { pid: undefined, signal: () => {}, isGroupAlive: () => false, hasEnded: () => true }
  }
  const { pid } = child
  // once it runs, only what is sent to it can fail, and nothing is
  child.on('error', (error) => {
    if (pid === undefined) cannot(error)
  })
  child.once('exit', (code, signal) => onExit(signal ?? `exit code ${code}`))
  return {
    pid,
    signal: (name) => {
      try {
        if (pid !== undefined) process.kill(-pid, name)
      } catch (error) {
        // one that has changed its user cannot be ended by us
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH')
          logger.error(`runner: ${name} to the group ${pid}: ${messageOf(error)}`)
      }
    },
    isGroupAlive: () => pid !== undefined && isGroupAlive(pid),
    hasEnded: () => pid === undefined || hasEnded(pid),
  }
}
