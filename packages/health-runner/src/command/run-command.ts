import { HealthConfigError, type Logger } from '@baldur/health-core'
import type { Drain } from '@baldur/health-drain'
import type { RunnersOptions } from '../options.ts'
import type { Runners } from '../runners.ts'
import type { RunnerEvent } from '../vocabulary/fleet.ts'
import { inFlagWords } from './flag-words.ts'
import { HELP } from './help.ts'
import { parseFlags } from './parse-flags.ts'
import { isSaidByEvents, printGuard, printRunner } from './print-event.ts'

/** What the command needs of the process that it is. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly start: (options: RunnersOptions) => Promise<Runners>
  /** From now on signals drain, and the process ends with the drain's code. */
  readonly drainOnSignals: (drain: Drain) => void
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

const EXIT: Readonly<Record<'failed' | 'refused', number>> = { failed: 1, refused: 2 }

function loggerOf(say: (line: string) => void, isVerbose: boolean): Logger {
  const log = (line: string): void => {
    if (!isSaidByEvents(line)) say(line)
  }
  return { debug: isVerbose ? log : () => undefined, info: log, warn: log, error: log }
}

/** Runs one command line. Gives the code to exit with; undefined while runners run, since their drain says it. */
export async function runCommand(argv: readonly string[], around: Surroundings): Promise<number | undefined> {
  const say = (line: string): void => around.err(`baldur-runner: ${line}`)
  const refuse = (lines: readonly string[]): number => {
    for (const line of lines) say(line)
    return EXIT.refused
  }
  const command = parseFlags(argv, around.env)
  if (command.kind === 'refused') return refuse(command.lines)
  if (command.kind !== 'start') {
    around.out(command.kind === 'help' ? HELP.trimEnd() : around.version)
    return 0
  }
  const { options, isVerbose } = command
  try {
    const runners = await around.start({ ...options, logger: loggerOf(say, isVerbose) })
    around.drainOnSignals(runners.drain)
    const tell = (event: RunnerEvent): void => {
      const line = printRunner(event, isVerbose)
      if (line !== undefined) say(line)
    }
    runners.on('runner', tell)
    runners.on('guard', (event) => say(printGuard(event)))
    // those that were started before anybody could listen
    for (const { name, pid, state } of (await runners.snapshot()).fleet.runners)
      if (pid !== undefined) tell({ name, pid, from: undefined, to: state })
    around.out(`listening on ${runners.url}`)
    return undefined
  } catch (error) {
    if (error instanceof HealthConfigError) return refuse(error.problems.map(inFlagWords))
    say(error instanceof Error ? error.message : String(error))
    return EXIT.failed
  }
}
