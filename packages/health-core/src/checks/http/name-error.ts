/** An error under a code of the table, where HTTP and TLS have many for one kind. */
export function nameError(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const word = String(code)
  const kind = word.startsWith('HPE_') ? 'NOT_HTTP' : word.startsWith('ERR_SSL_') ? 'TLS_FAILED' : undefined
  return kind === undefined
    ? error
    : Object.assign(new Error(String(message), { cause: error }), { code: kind })
}
