/**
 * The part of a raw target from where `url` begins in its path, or undefined when the path does not end with it, a trailing slash
 * aside. For adapters whose router has found a route but hides what stands before it. An absolute-form target is not ours, as everywhere.
 */
export function targetBelow(url: string, target: string): string | undefined {
  const path = target.split('?', 1)[0]?.replace(/\/$/, '') ?? ''
  const isBelow = (target.startsWith('/') || target === '') && path.endsWith(url)
  return isBelow ? target.slice(path.length - url.length) : undefined
}
