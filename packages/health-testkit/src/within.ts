/** A span of time that several waits share. */
export interface Timer {
  readonly timeoutMs: number
  leftMs(): number
}

/** Starts to run now. */
export function timer(timeoutMs: number): Timer {
  const end = performance.now() + timeoutMs
  return { timeoutMs, leftMs: () => end - performance.now() }
}

/** Settles as the promise does, or rejects when the time is up, naming what was waited for. */
export async function within<T>(time: Timer, promise: Promise<T>, what: () => string): Promise<T> {
  let timeout: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`waited ${time.timeoutMs} ms for ${what()}`))
    timeout = setTimeout(fail, time.leftMs())
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timeout)
  }
}
