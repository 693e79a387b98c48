/** What an adapter passes on of a request. */
export interface ProbeRequest {
  readonly method: string
  /** The raw request target, as it came: path and query, undecoded. */
  readonly target: string
  /** Where this mount answers, in place of the health's own `prefix`. */
  readonly prefix?: string
  /** `message`: whoever asks has shown a key, and may read what drivers say, secrets masked. @default what the health's own `expose` says */
  readonly expose?: 'message' | undefined
  /** The message itself, or its like. Its headers are read only when the request is ours: a service that asks as a check of its own says so there. */
  readonly message?: { readonly headers?: Readonly<Record<string, unknown>> | undefined }
}

/** What an adapter writes, as it stands. */
export interface ProbeResponse {
  readonly status: number
  /** Names in lower case, `content-length` exact. */
  readonly headers: Readonly<Record<string, string>>
  /** ASCII, so that its length is its size in bytes; empty for HEAD and OPTIONS. */
  readonly body: string
  /** The connection should end after this answer: `Connection: close` on HTTP/1.1, nothing on HTTP/2. */
  readonly close: boolean
}
