import { expect, it } from 'vitest'
import { renderNotice } from './render-notice.ts'

const AT = Date.parse('2026-01-02T03:04:05.000Z')

it('a notice has its component, times and namespace', () => {
  const notice = renderNotice({
    kind: 'escalation',
    component: 'pool_default',
    status: 'degraded',
    since: AT - 180_000,
    at: AT,
    namespace: 'orders',
  })
  expect(notice).toEqual({
    event: 'escalation',
    component: 'pool_default',
    status: 'degraded',
    since: '2026-01-02T03:01:05.000Z',
    duration_seconds: 180,
    timestamp: '2026-01-02T03:04:05.000Z',
    namespace: 'orders',
  })
})

it('a notice of a service without a name has namespace null', () => {
  const notice = renderNotice({ kind: 'recovery', component: 'cache', status: 'healthy', since: AT, at: AT })
  expect(notice).toMatchObject({ event: 'recovery', status: 'healthy', duration_seconds: 0, namespace: null })
})
