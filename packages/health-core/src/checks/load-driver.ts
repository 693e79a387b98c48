import { createRequire } from 'node:module'

/** Loads an optional peer, only when it is needed. Undefined when it is not installed; what it throws while loading goes on. */
export function loadDriver(name: string): unknown {
  const load = createRequire(import.meta.url)
  try {
    return load(name)
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    if (code === 'MODULE_NOT_FOUND' && String(message).includes(`'${name}'`)) return undefined
    throw error
  }
}
