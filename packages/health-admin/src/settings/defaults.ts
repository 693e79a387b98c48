// This file is the only place where numbers stand, each below its reason.

/** Where it listens. */
export const BIND: { readonly host: string; readonly port: number } = {
  // reachable from the machine, or the pod, alone until somebody says otherwise
  host: '127.0.0.1',
  // what scrapers and their operators look for first
  port: 9090,
}

/** What it is held to, so that nobody can load the service through it. */
export const LIMITS: {
  readonly connections: number
  readonly pipelined: number
  readonly pieceRequests: number
  readonly watchers: number
  readonly headerBytes: number
  readonly bodyBytes: number
  readonly headersMs: number
  readonly requestMs: number
  readonly idleMs: number
  readonly silentMs: number
  readonly checkMs: number
  readonly closeMs: number
  readonly bufferedBytes: number
} = {
  // probes, scrapers and people of one instance, several times over; about 2 MB of sockets
  connections: 128,
  // nobody who probes, scrapes or looks asks again before the answer
  pipelined: 4,
  // twice as many; blank lines of a body count too
  pieceRequests: 8,
  // a team looks at one instance; each gets a few kilobytes a second
  watchers: 32,
  // Node's own default; cookies of other ports on localhost come along
  headerBytes: 16_384,
  // `{"enabled":false}` and room
  bodyBytes: 4_096,
  // a slow network sends a head within a second
  headersMs: 5_000,
  // head and body
  requestMs: 10_000,
  // longer than a page's pause between two requests; scrapers of 15 s and more connect anew
  idleMs: 5_000,
  // a reader that takes nothing for so long has gone
  silentMs: 10_000,
  // how late a limit of time may be noticed
  checkMs: 1_000,
  // what is being answered when it ends; a scrape takes far less
  closeMs: 1_000,
  // a watcher that is so far behind gets the next state that it has room for
  bufferedBytes: 65_536,
}

/** What watchers get. */
export const LIVE: {
  readonly everyMs: number
  readonly askMs: number
  readonly settleMs: number
  readonly firstMs: number
  readonly recentRuns: number
} = {
  // ages and requests in flight go on
  everyMs: 1_000,
  // core grants one computation a second, and a timer may come a little early; a stopped database is on the page within
  // three seconds: one until it is asked, and at most two of a run's timeout
  askMs: 1_005,
  // a database that stalls from the start is no reason to show nothing
  firstMs: 500,
  // what changes together is told together
  settleMs: 50,
  // a sparkline; a minute while somebody watches
  recentRuns: 60,
}

/** The shortest key: below it guessing is a matter of hours (section 9 of the design). */
export const KEY_LENGTH = 8
