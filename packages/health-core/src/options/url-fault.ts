import type { Variable } from './variables.ts'

type UrlVariable = Extract<Variable, { readonly kind: 'url' }>
type Fault = readonly [expected: string, got: string]

/** Behind user and password nothing but white space, as where a template's variable was blank. */
const BLANK_HOST = /^[^:]+:\/\/(?:[^/?#]*@)?(?:\s|%20)+(?=[:/?#]|$)/

function hasBrokenEscapes({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return false
  } catch {
    return true
  }
}

/** What is wrong with a variable's URL. It can hold a password: it is never echoed, not even masked. */
export function urlFault({ protocols, isReadElsewhere }: UrlVariable, value: string): Fault | undefined {
  const allowed = `a URL that begins with ${protocols.map((p) => `${p}://`).join(' or ')}`
  if (!protocols.some((p) => value.startsWith(`${p}://`))) {
    return [allowed, 'something else (not shown, it may hold a password)']
  }
  if (isReadElsewhere) {
    // what a database driver takes goes beyond URLs (no host, several): it is read by the driver itself, which takes this too
    return BLANK_HOST.test(value) ? ['a host that is not blank', 'one that is (not shown)'] : undefined
  }
  if (!URL.canParse(value)) return [`${allowed} and can be parsed`, 'one that cannot (not shown)']
  return hasBrokenEscapes(new URL(value))
    ? ['a user and a password that are percent-encoded', 'others (not shown)']
    : undefined
}
