/** As long as a stream may be silent. */
const PATIENCE_MS = 5_000

/** What a proxy says in the place of a server that is gone. */
const FOR_NOBODY = new Set([502, 504])

/** Whether the server answers at all: asks what is open to everybody, and sends no key. */
export async function isAnswering(): Promise<boolean> {
  try {
    const { status } = await fetch('liveness', {
      ...{ cache: 'no-store', redirect: 'error' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return !FOR_NOBODY.has(status)
  } catch {
    // whatever went wrong: nobody has answered
    return false
  }
}
