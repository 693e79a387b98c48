import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ROUTES, routeOf } from './route.ts'

test('there are eleven paths, each with who may', () => {
  const table = Object.entries(ROUTES).map(([path, { access, methods }]) => [path, access, methods.join()])
  expect(table).toEqual([
    ['/', 'open', 'GET,HEAD'],
    ['/liveness', 'open', 'GET,HEAD,OPTIONS'],
    ['/readiness', 'open', 'GET,HEAD,OPTIONS'],
    ['/startup', 'open', 'GET,HEAD,OPTIONS'],
    ['/health/pool', 'open', 'GET,HEAD,OPTIONS'],
    ['/health/ping', 'open', 'GET,HEAD,OPTIONS'],
    ['/health', 'viewer', 'GET,HEAD,OPTIONS'],
    ['/metrics', 'viewer', 'GET,HEAD'],
    ['/events', 'viewer', 'GET,HEAD'],
    ['/explain', 'viewer', 'GET,HEAD'],
    ['/control', 'operator', 'POST'],
  ])
})

test.each(Object.keys(ROUTES))('%s is found with a slash at its end, and with a query', (path) => {
  const slash = path === '/' ? '/' : `${path}/`
  for (const target of [path, slash, `${path}?a=/control`, `${slash}?`]) {
    expect(routeOf(target)).toBe(ROUTES[path])
  }
})

test.each([
  '',
  '//',
  '/metrics//',
  '//metrics',
  '/Metrics',
  '/metrics/../control',
  '/./metrics',
  '/metrics%2f',
  '/%6detrics',
  '/metrics;a',
  '/metrics#',
  '/__proto__',
  '/constructor',
  'metrics',
  'http://localhost/metrics',
  '*',
  '/health/live',
  '/\0metrics',
])('%j is none', (target) => expect(routeOf(target)).toBeUndefined())

test('no string makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), (target) => void routeOf(target)),
    { numRuns: 2_000 },
  )
})
