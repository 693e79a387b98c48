/** The part of a request that an adapter passes on. */
export interface ProbeRequest {
  /** The HTTP method. */
  readonly method: string
  /** The raw request target, undecoded: path and query. */
  readonly target: string
  /** Prefix of this mount. @default the health's own `prefix` */
  readonly prefix?: string
  /** `message`: the caller has presented a key and may read drivers' messages, secrets masked. @default the health's own `expose` */
  readonly expose?: 'message' | undefined
  /** The request object. Its headers are read only for probes: a header marks a probe from a peer. */
  readonly message?: { readonly headers?: Readonly<Record<string, unknown>> | undefined }
}

/** The response that an adapter writes unchanged. */
export interface ProbeResponse {
  /** The HTTP status code. */
  readonly status: number
  /** Names in lower case, `content-length` exact. */
  readonly headers: Readonly<Record<string, string>>
  /** ASCII, so that its length is its size in bytes; empty for HEAD and OPTIONS. */
  readonly body: string
  /** True when the connection should end after this response: `Connection: close` on HTTP/1.1, nothing on HTTP/2. */
  readonly close: boolean
}
