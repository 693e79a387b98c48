/** What is asked, and how it is spoken of. */
export interface Target {
  readonly isTls: boolean
  /** Addresses, or one name: where to connect, in this order. */
  readonly hosts: readonly string[]
  readonly port: number
  /** With its query. */
  readonly path: string
  /** What `Host` says. */
  readonly authority: string
  /** The name that a certificate has to be for. */
  readonly name: string
  /** `user:password` of the URL. */
  readonly auth?: string
  /** For people: without user and query. */
  readonly shown: string
}

/** What a name for this machine stands for: a server may listen on one of the two alone, and `localhost` may resolve to the other. */
export const LOOPBACK: readonly string[] = ['127.0.0.1', '::1']
