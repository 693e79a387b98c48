import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { hasFunctions, type Problems } from '@baldur/health-core/internal'
import type { CallbackApp, Listener, ListeningApp, ServeRunnerOptions } from './serve-options.ts'

/** What is served: a listener for a server of ours, or an app that brings its own. */
export type Program =
  | { readonly kind: 'listener'; readonly listener: Listener }
  | { readonly kind: 'app'; readonly app: ListeningApp }

/** A program with its server, before it listens. */
export interface OpenProgram {
  readonly server: ListeningApp['server']
  /** Gives where it listens. Rejects with an error that names the port. */
  listen(at: {
    readonly host: string
    readonly port: number
  }): Promise<{ readonly url: string; readonly port: number }>
  /** Ends what the app itself holds. */
  close(): PromiseLike<unknown> | undefined
}

const AN_APP = 'an Express, Koa or Fastify app that does not listen yet'
const NOWHERE: Program = { kind: 'listener', listener: () => undefined }

const isListening = (app: unknown): boolean =>
  (app as { server?: { listening?: unknown } }).server?.listening === true
const hasServer = (app: unknown): app is ListeningApp =>
  hasFunctions(app, ['ready', 'listen', 'close']) &&
  hasFunctions((app as { server?: unknown }).server, ['emit', 'on', 'listen'])

/** Reads `app` and `listener`, of which exactly one is given. */
export function readProgram(
  { app, listener }: { readonly [Key in keyof ServeRunnerOptions]?: unknown },
  problems: Problems,
): Program {
  if ((app === undefined) === (listener === undefined)) {
    const allowed = `one of app (${AN_APP}) and listener (a function for createServer of node:http)`
    problems.addText('app', allowed, app === undefined ? 'neither' : 'both')
  } else if (listener !== undefined) {
    if (typeof listener === 'function') return { kind: 'listener', listener: listener as Listener }
    problems.add('listener', 'a function for createServer of node:http', listener)
  } else if (typeof app === 'function') return { kind: 'listener', listener: app as Listener }
  else if (hasFunctions(app, ['callback']))
    return { kind: 'listener', listener: (app as CallbackApp).callback() }
  else if (hasServer(app) && !isListening(app)) return { kind: 'app', app }
  else if (hasServer(app)) problems.addText('app', AN_APP, 'one that listens')
  else problems.add('app', AN_APP, app)
  return NOWHERE
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another server',
  EACCES: 'may not be listened on by this user',
  EADDRNOTAVAIL: 'cannot be listened on: this machine does not have the address',
  ENOTFOUND: 'cannot be listened on: the name is not known',
}
/** What listens everywhere is found here. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function addressOf(
  server: ListeningApp['server'],
  host: string,
): { readonly url: string; readonly port: number } {
  const { address, port } = server.address() as AddressInfo
  const name = EVERYWHERE[address] ?? host
  const scheme = hasFunctions(server, ['setSecureContext']) ? 'https' : 'http'
  return { url: `${scheme}://${isIPv6(name) ? `[${name}]` : name}:${port}`, port }
}

/** Makes the server, or takes the app's own. */
export function openProgram(program: Program): OpenProgram {
  const server = program.kind === 'app' ? program.app.server : createServer(program.listener)
  const open = async (at: { readonly host: string; readonly port: number }): Promise<void> => {
    if (program.kind === 'app') await program.app.listen(at)
    else await once(server.listen(at), 'listening')
  }
  return {
    server,
    listen: async ({ host, port }) => {
      // an app of Fastify opens a second server for the other address of this name, which nobody would have seen here
      const at = { port, host: program.kind === 'app' && host === 'localhost' ? '127.0.0.1' : host }
      try {
        await open(at)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        // what an app's own plugins threw while it got ready is no matter of the port
        if (REASONS[code] === undefined) throw error
        throw Object.assign(new Error(`port ${port} on ${host} ${REASONS[code]}`, { cause: error }), { code })
      }
      return addressOf(server, at.host)
    },
    close: () => (program.kind === 'app' ? program.app.close() : undefined),
  }
}
