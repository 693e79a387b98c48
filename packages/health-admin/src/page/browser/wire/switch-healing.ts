import { keyHeader } from './key-header.ts'

/** Switches self-healing; gives what is wrong, or undefined when it is done. */
export async function switchHealing(key: string | undefined, enabled: boolean): Promise<string | undefined> {
  try {
    const response = await fetch('control', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeader(key) },
      body: JSON.stringify({ enabled }),
      redirect: 'error',
    })
    if (response.ok) return undefined
    return response.status === 401 || response.status === 403
      ? `Not switched: this key may not (${response.status}).`
      : `Not switched: the server answered ${response.status}.`
  } catch {
    return 'Not switched: no connection to the server.'
  }
}
