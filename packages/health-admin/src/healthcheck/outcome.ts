/** What came of asking one address. */
export interface Outcome {
  readonly isGood: boolean
  /** After the address, in a sentence. Nothing of the answer but its status. */
  readonly words: string
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection off',
  EPIPE: 'broke the connection off',
  ENOTFOUND: 'is an unknown host',
  EAI_AGAIN: 'is a host that cannot be looked up',
  HPE_HEADER_OVERFLOW: 'answered with too long a header',
}

export const bad = (words: string): Outcome => ({ isGood: false, words })

/** An error's code alone: messages may say more than a log should keep. */
export function failure(error: unknown): Outcome {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return bad('failed')
  if (code in WORDS) return bad(WORDS[code] ?? code)
  return bad(code.startsWith('HPE_') ? 'did not answer in HTTP' : `failed with ${code}`)
}
