import type { Clock } from '../machinery/clock.ts'
import type { Logger } from '../vocabulary/logger.ts'
import type { SharedStore } from '../vocabulary/store.ts'
import type { Environment } from './environment.ts'
import { hasFunctions, type Plain } from './plain.ts'
import type { Problems } from './problems.ts'
import { VARIABLES } from './variables.ts'

/** Where results are shared, and under which name. */
export interface Share {
  readonly store: SharedStore
  readonly namespace: string
}

/** What reading settings needs of the outside, so that the reader itself opens nothing. */
export interface ShareMakers {
  /** Undefined when the client's package is not installed. */
  storeOfUrl(url: string, clock: Clock): SharedStore | undefined
  storeOfClient(client: object): SharedStore
}

/** The URL with the user and password that have variables of their own, which hold them as they are. */
function completeUrl(url: string, variables: Environment): string {
  const complete = new URL(url)
  // a URL escapes whatever is set, but takes a % for an escape
  const plain = (name: string): string | undefined => variables.get(name)?.replaceAll('%', '%25')
  complete.username = plain('BALDUR_REDIS_USERNAME') ?? complete.username
  complete.password = plain('BALDUR_REDIS_PASSWORD') ?? complete.password
  return complete.href
}

function readStore(
  { top, verdict, variables, clock }: Sources,
  makers: ShareMakers,
  problems: Problems,
): SharedStore | undefined {
  const { redis } = top
  const { store } = verdict
  if (store !== undefined) {
    if (redis !== undefined) problems.addText('redis', 'no verdict.store beside it', 'both')
    if (hasFunctions(store, ['read', 'claim', 'write'])) return store as SharedStore
    problems.add('verdict.store', 'an object with the functions read, claim, write', store)
    return undefined
  }
  if (redis !== undefined) {
    // of clients that have these functions only those of ioredis say how they are in one word
    const isOurs = hasFunctions(redis, ['eval']) && typeof (redis as Plain).status === 'string'
    if (isOurs) return makers.storeOfClient(redis as object)
    problems.add('redis', 'a client of ioredis: Redis or Cluster', redis)
    return undefined
  }
  const url = variables.get('BALDUR_REDIS_URL')
  if (url === undefined) return undefined
  const made = makers.storeOfUrl(completeUrl(url, variables), clock)
  if (made === undefined) problems.addText('BALDUR_REDIS_URL', 'the package ioredis to be installed', 'none')
  return made
}

interface Sources {
  readonly top: Plain
  readonly verdict: Plain
  readonly variables: Environment
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
}

/** The service's name: as it was given, else the app's own. */
export function namespaceOf(
  { top, variables }: Pick<Sources, 'top' | 'variables'>,
  appName: () => string | undefined,
): string | undefined {
  const name = top.namespace ?? variables.get('BALDUR_NAMESPACE') ?? appName()
  return name === undefined ? undefined : String(name)
}

/** Where this process shares its check results; undefined when it keeps them to itself. */
export function readShare(
  sources: Sources,
  name: string | undefined,
  makers: ShareMakers,
  problems: Problems,
): Share | undefined {
  const { namespace } = sources.top
  const rule = VARIABLES.find(({ name }) => name === 'BALDUR_NAMESPACE')
  if (rule?.kind === 'pattern' && namespace !== undefined) {
    if (typeof namespace !== 'string' || !rule.pattern.test(namespace)) {
      problems.add('namespace', rule.allowed, namespace)
    }
  }
  const store = readStore(sources, makers, problems)
  if (store === undefined) return undefined
  if (name !== undefined) return { store, namespace: name }
  // two services without a name would read each other's results
  sources.logger.warn('check results are not shared: set BALDUR_NAMESPACE, since the app has no package name')
  return undefined
}
