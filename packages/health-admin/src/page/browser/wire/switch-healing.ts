import { keyHeader } from './key-header.ts'

/** With no connection free a browser keeps a request back without a word, for as long as it takes. */
const PATIENCE_MS = 5_000

/** Switches self-healing; gives what is wrong, or undefined when it is done. */
export async function switchHealing(key: string | undefined, enabled: boolean): Promise<string | undefined> {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    const response = await fetch('control', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeader(key) },
      body: JSON.stringify({ enabled }),
      redirect: 'error',
      signal: patience,
    })
    if (response.ok) return undefined
    return response.status === 401 || response.status === 403
      ? `Not switched: this key may not (${response.status}).`
      : `Not switched: the server answered ${response.status}.`
  } catch {
    return patience.aborted
      ? 'Given up after 5 s without an answer: no connection may be free. Close other tabs of this page.'
      : 'Not switched: no connection to the server.'
  }
}
