interface Asked {
  readonly host: string | undefined
  readonly forwardedProto: string | undefined
  /** The connection itself speaks TLS. */
  readonly isEncrypted: boolean
}

export interface RequestUrls {
  readonly status_url: string
  readonly response_url: string
  readonly cancel_url: string
}

/** A name or an address, perhaps with a port: nothing that could lead elsewhere. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** As the caller reached us: its own host, and the scheme that the last proxy before us was asked with. Paths alone where the host is none. */
function origin({ host = '', forwardedProto = '', isEncrypted }: Asked): string {
  if (!HOST.test(host)) return ''
  const [first = ''] = forwardedProto.split(',', 1)
  const scheme = /^\s*(https?)\s*$/i.exec(first)?.[1]?.toLowerCase()
  return `${scheme ?? (isEncrypted ? 'https' : 'http')}://${host}`
}

/** Where a request that was accepted is asked about. */
export function requestUrls(id: string, asked: Asked): RequestUrls {
  const base = `${origin(asked)}/queue/requests/${id}`
  return { status_url: `${base}/status`, response_url: base, cancel_url: `${base}/cancel` }
}
