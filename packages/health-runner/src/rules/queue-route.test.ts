import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type QueueRoute, queueRoute } from './queue-route.ts'

const id = '0123456789abcdef0123456789abcdef'
const own = `/queue/requests/${id}`
const add = (target: string): QueueRoute => ({ kind: 'add', target })
const method = (...allowed: string[]): QueueRoute => ({ kind: 'method', allowed })

const ROWS: readonly (readonly [method: string, target: string, route: QueueRoute | undefined])[] = [
  ['POST', '/queue/orders', add('/orders')],
  ['POST', '/queue/orders?a=1&b=/queue/', add('/orders?a=1&b=/queue/')],
  ['POST', '/queue/', add('/')],
  ['POST', '/queue/?a', add('/?a')],
  ['POST', '/queue//x', add('//x')],
  ['POST', '/queue/%2e%2e/x', add('/%2e%2e/x')],
  ['POST', '/queue/queue/x', add('/queue/x')],
  ['POST', '/queue/requests', add('/requests')],
  ['POST', '/queue/requests/', add('/requests/')],
  ['POST', `/queue/requests/${id}/else`, add(`/requests/${id}/else`)],
  ['POST', `/queue/requests/${id}/status/more`, add(`/requests/${id}/status/more`)],
  ['GET', '/queue/orders', method('POST')],
  ['HEAD', '/queue/orders', method('POST')],
  ['PUT', '/queue/orders', method('POST')],
  ['OPTIONS', '/queue/', method('POST')],
  ['GET', own, { kind: 'result', id }],
  ['HEAD', own, { kind: 'result', id }],
  ['GET', `${own}/`, { kind: 'result', id }],
  ['GET', `${own}?logs=1`, { kind: 'result', id }],
  ['GET', '/queue/requests/nonsense', { kind: 'result', id: 'nonsense' }],
  ['GET', `${own}/status`, { kind: 'status', id }],
  ['HEAD', `${own}/status?x`, { kind: 'status', id }],
  ['GET', `${own}/status/`, { kind: 'status', id }],
  ['PUT', `${own}/cancel`, { kind: 'cancel', id }],
  ['POST', own, method('GET', 'HEAD')],
  ['DELETE', own, method('GET', 'HEAD')],
  ['POST', `${own}/status`, method('GET', 'HEAD')],
  ['POST', `${own}/cancel`, method('PUT')],
  ['GET', `${own}/cancel`, method('PUT')],
  ['POST', '/queue', undefined],
  ['POST', '/queue?x', undefined],
  ['POST', '/queued/x', undefined],
  ['POST', '/Queue/x', undefined],
  ['POST', '/a/queue/x', undefined],
  ['POST', '//queue/x', undefined],
  ['GET', '', undefined],
  ['OPTIONS', '*', undefined],
]

describe('the paths of the queue', () => {
  it.each(ROWS)('%s %s', (verb, target, route) => {
    expect(queueRoute(verb, target)).toEqual(route)
  })

  it('are these', () => {
    expect(ROWS).toHaveLength(37)
  })

  it('take any string, and keep what comes after /queue as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(queueRoute('POST', text.replace(/^\/queue\//, ''))).toBeUndefined()
        const route = queueRoute('POST', `/queue/${text}`)
        if (route?.kind === 'add') expect(route.target).toBe(`/${text}`)
        else expect(text).toMatch(/^requests\/[^/?]/)
      }),
    )
  })
})
