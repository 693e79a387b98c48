const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']

/** From now on signals do not end this process. Returns what ends that: one that came meanwhile then does what it would have done. */
export function withholdSignals(): () => void {
  let came: NodeJS.Signals | undefined
  const note = (signal: NodeJS.Signals): void => {
    came ??= signal
  }
  for (const signal of SIGNALS) process.on(signal, note)
  return () => {
    for (const signal of SIGNALS) process.off(signal, note)
    // whoever listens has heard it
    if (came !== undefined && process.listenerCount(came) === 0) process.kill(process.pid, came)
  }
}
