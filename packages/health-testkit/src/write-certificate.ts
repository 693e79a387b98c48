import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Puts a certificate into the data folder of a server (where PostgreSQL looks for it); the key must be its owner's alone. */
export function writeCertificate(
  dir: string,
  { key, cert }: { readonly key: string; readonly cert: string },
): void {
  const { uid, gid } = statSync(dir)
  for (const [name, text] of [
    ['server.key', key],
    ['server.crt', cert],
  ] as const) {
    const path = join(dir, name)
    writeFileSync(path, text, { mode: 0o600 })
    chownSync(path, uid, gid)
  }
}
