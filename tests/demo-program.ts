import { fileURLToPath } from 'node:url'

/** A built demo, as every test starts it: several run at once, and the usual port of an admin server is one. */
export const demoProgram = (
  name: string,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } => ({
  args: [fileURLToPath(new URL(`../apps/${name}/dist/server.js`, import.meta.url))],
  env: { BALDUR_ADMIN_PORT: '0' },
})
