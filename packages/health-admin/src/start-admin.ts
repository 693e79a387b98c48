import type { AdminOptions, AdminServer } from './options.ts'

/** Starts the admin server. */
export async function startAdmin(_options: AdminOptions): Promise<AdminServer> {
  throw new Error('not yet')
}
