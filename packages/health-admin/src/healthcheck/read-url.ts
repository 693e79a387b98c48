import { LOOPBACK, type Target } from './target.ts'

export const URL_EXPECTED = 'expected an http or https URL, such as http://localhost:3000/health/ready'

const isLoopbackName = (name: string): boolean => /^localhost\.?$/.test(name)

/** Undefined for what is no http or https URL. */
export function readUrl(text: string): Target | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { protocol, hostname, port, pathname, search, host, username, password } = new URL(text)
  const isTls = protocol === 'https:'
  const name = hostname.replace(/^\[|\]$/g, '')
  const auth = readAuth(username, password)
  if (auth === undefined) return undefined
  return {
    isTls,
    hosts: isLoopbackName(name) ? LOOPBACK : [name],
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    path: pathname + search,
    authority: host,
    name: name.replace(/\.$/, ''),
    ...(auth !== ':' && { auth }),
    shown: `${protocol}//${host}${pathname}`,
  }
}

function readAuth(username: string, password: string): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  } catch {
    // a lone % in it: the URL is not what its writer meant
    return undefined
  }
}
