import { constants } from 'node:os'
import { inspect } from 'node:util'
import { createProblems, isPlain, refuseUnknown, writeStderr } from '@baldur/health-core/internal'
import type { Drain } from './drain.ts'
import { LIMITS } from './plan/defaults.ts'

export interface SignalOptions {
  /** Signals that start the drain. @default ['SIGTERM', 'SIGINT'] */
  readonly signals?: readonly NodeJS.Signals[] | undefined
  /** End the process with its code; with `false` only `process.exitCode` is set, unless a second signal comes. @default true */
  readonly exit?: boolean | undefined
  /** Drain also on an uncaught exception or rejection: exit code 1, its stack on standard error, a second one exits at once. @default false */
  readonly fatal?: boolean | undefined
}

/** Process groups repeat signals: one that comes so soon after the first is the same. */
const REPEAT_MS = 1_000

function readSignals(options: SignalOptions): readonly NodeJS.Signals[] {
  const problems = createProblems()
  if (!isPlain(options)) problems.add('options', 'an object', options)
  else refuseUnknown('', { ...options }, ['signals', 'exit', 'fatal'], problems)
  const { signals = ['SIGTERM', 'SIGINT'], exit = true, fatal = false } = options ?? {}
  // nobody can listen for these two
  const isSignal = (name: unknown): boolean =>
    typeof name === 'string' && Object.hasOwn(constants.signals, name) && !/^SIG(?:KILL|STOP)$/.test(name)
  if (!Array.isArray(signals) || !signals.every(isSignal)) {
    problems.add('signals', "an array of names such as 'SIGTERM'", signals)
  }
  if (typeof exit !== 'boolean') problems.add('exit', 'true or false', exit)
  if (typeof fatal !== 'boolean') problems.add('fatal', 'true or false', fatal)
  problems.throwIfAny()
  return signals
}

/** Hears the parent without holding the channel to it open, and with it the process: Node counts the listeners that do. */
function listenToParent(onMessage: (message: unknown) => void): () => void {
  const channel = process.channel as { refCounted?(): void; unrefCounted?(): void } | undefined
  process.on('message', onMessage)
  // not `unref`, which would let go for the listeners of everybody: a cluster's worker would end before it listens
  channel?.unrefCounted?.()
  return () => {
    channel?.refCounted?.()
    process.off('message', onMessage)
  }
}

/**
 * Starts a drain on signals (and on pm2's message `shutdown`) and ends the process: 0 when it was clean, 1 when a request was
 * aborted or a hook failed, 128 + n at once on a second signal. The only part that touches `process`. Returns what takes it off again.
 */
export function drainOnSignals(drain: Drain, options: SignalOptions = {}): () => void {
  const signals = readSignals(options)
  const { exit = true, fatal = false } = options
  let firstAt: number | undefined
  let isFatal = false

  const end = (code: number): void => {
    if (exit) process.exit(code)
    process.exitCode = code
  }
  // also when the app itself starts it
  const onStart = (): void => {
    void drain.start().then(({ isClean }) => end(isClean && !isFatal ? 0 : 1))
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    // a message, or the app itself, may have begun the drain: that was no signal
    if (firstAt === undefined) {
      firstAt = performance.now()
      void drain.start(signal)
    } else if (performance.now() - firstAt > REPEAT_MS) process.exit(128 + constants.signals[signal])
  }
  const onMessage = (message: unknown): void => {
    if (message === 'shutdown') void drain.start('shutdown message')
  }
  const onFatal = (error: unknown): void => {
    writeStderr(inspect(error))
    if (isFatal) process.exit(1)
    isFatal = true
    process.exitCode = 1
    // where even that does not come to its end
    setTimeout(() => end(1), LIMITS.fatalMs + LIMITS.halfOpenMs).unref()
    void drain.start('fatal error', { withinMs: LIMITS.fatalMs })
  }

  if (drain.signal.aborted) onStart()
  else drain.signal.addEventListener('abort', onStart, { once: true })
  for (const signal of signals) process.on(signal, onSignal)
  const stopListening = process.connected ? listenToParent(onMessage) : undefined
  if (fatal) process.on('uncaughtException', onFatal).on('unhandledRejection', onFatal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
    stopListening?.()
    drain.signal.removeEventListener('abort', onStart)
    process.off('uncaughtException', onFatal).off('unhandledRejection', onFatal)
  }
}
