/** The port of the demo's admin server where `BALDUR_ADMIN_PORT` names none; where it does, the library reads it, and says what is wrong. */
export function adminPort(env: NodeJS.ProcessEnv, usualPort: number): number | undefined {
  const text = env.BALDUR_ADMIN_PORT ?? ''
  // a value that begins with tcp:// is a Kubernetes service link, no setting
  return text === '' || text.startsWith('tcp://') ? usualPort : undefined
}

/** Says where the admin server is, if there is one. A taken port costs the page, not the orders; what else keeps it from its start is the caller's. */
export async function announceAdmin(starting: Promise<{ readonly url: string | undefined }>): Promise<void> {
  try {
    const { url } = await starting
    if (url !== undefined) console.log(`admin on ${url}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE') throw error
    console.error(`${message}; the orders are served without it`)
  }
}
