const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']

/** Defers SIGTERM and SIGINT. Returns a function that ends the deferral and delivers the first deferred signal, unless a listener has received it. */
export function deferSignals(): () => void {
  let came: NodeJS.Signals | undefined
  const note = (signal: NodeJS.Signals): void => {
    came ??= signal
  }
  for (const signal of SIGNALS) process.on(signal, note)
  return () => {
    for (const signal of SIGNALS) process.off(signal, note)
    // a listener has already received it
    if (came !== undefined && process.listenerCount(came) === 0) process.kill(process.pid, came)
  }
}
