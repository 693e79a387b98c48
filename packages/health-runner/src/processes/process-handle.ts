import { type ChildProcess, spawn } from 'node:child_process'
import type { Logger } from '@baldur/health-core'
import { hasEnded, isGroupAlive } from './keeper/process-table.mjs'
import { messageOf } from './message-of.ts'
import { whyNotStarted } from './why-not-started.ts'

/** Handle of a runner's first process and its process group. */
export interface ProcessHandle {
  /** Process id; undefined when the process could not be started. */
  readonly pid: number | undefined
  /** Signals the whole group; does nothing when the group is gone. */
  signal(name: NodeJS.Signals): void
  isGroupAlive(): boolean
  /** Whether the process has ended; its exit is reported next. */
  hasEnded(): boolean
}

export interface ProcessSpec {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  /** Called once, after this call has returned, with how the first process ended. */
  onExit(detail: string): void
}

/** Starts the process in its own process group. Never throws: a failed start is reported as an exit. */
export function startProcess({ command, cwd, env, logger, onExit }: ProcessSpec): ProcessHandle {
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
