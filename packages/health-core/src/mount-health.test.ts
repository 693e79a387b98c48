import { describe, expect, it } from 'vitest'
import { createHealth } from './create-health.ts'
import { type MountOptions, mountHealth } from './mount-health.ts'

const quiet = { env: {}, checks: [{ name: 'x', run: () => true }] }
const mount = (options: unknown, own?: readonly string[]) => mountHealth(options as MountOptions, own)

describe('mountHealth', () => {
  it('makes a health of its own from the options', () => {
    const { health, prefix, isOwn, observe } = mount({ ...quiet, prefix: '/api/' })
    expect([health.phase, health.prefix, prefix, isOwn, observe]).toEqual([
      'starting',
      '/api',
      '/api',
      true,
      undefined,
    ])
  })

  it('takes a health that exists, and mounts it where it says or where the options say', () => {
    const health = createHealth({ ...quiet, prefix: '/own' })
    expect(mount({ health })).toMatchObject({ health, prefix: '/own', isOwn: false })
    expect(mount({ health, prefix: '/here/' })).toMatchObject({ prefix: '/here' })
    expect(mount({ health, prefix: '' })).toMatchObject({ prefix: '' })
  })

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, { responses: 'ready' }],
    [{}, { responses: 'ready' }],
    [{ fall: 5 }, { responses: 'ready' }],
  ])('observe: %j', async (observe, more) => {
    for (const options of [
      { ...quiet, observe },
      { health: createHealth(quiet), observe },
    ]) {
      const mounted = mount(options)
      expect(mounted.observe === undefined).toBe(more === undefined)
      expect((await mounted.health.readiness()).checks).toEqual({ x: 'ready', ...more })
    }
  })

  it('lists everything that is wrong in one error, its own options among it', () => {
    const wrong = { ...quiet, prefix: 'x', readiness: { budgetMs: '5s' }, observ: true, observe: { fall: 0 } }
    expect(() => mount(wrong)).toThrow(
      /observe\.fall[\s\S]*observ: expected one of .*health, observe, got an unknown option \(did you mean observe\?\)[\s\S]*prefix[\s\S]*readiness\.budgetMs/,
    )
  })

  it('says what belongs to createHealth, and what nobody knows, beside a health that exists', () => {
    const wrong = {
      health: createHealth(quiet),
      expose: 'message',
      prefx: '/x',
      logLevl: 'info',
      verdict: undefined,
    }
    expect(() => mount(wrong, ['logLevel'])).toThrow(
      /expose: expected to be given to createHealth[\s\S]*prefx: expected one of prefix, health, observe, logLevel, got an unknown option \(did you mean prefix\?\)[\s\S]*logLevl.*did you mean logLevel/,
    )
  })

  it('takes undefined as absent, also beside a health that exists', () => {
    const health = createHealth(quiet)
    expect(mount({ health, checks: undefined, prefix: undefined, observe: undefined })).toMatchObject({
      prefix: '',
    })
  })

  it('knows a health that was given in place of the options', () => {
    expect(() => mount(createHealth(quiet))).toThrow(
      'options: expected an object such as { health }, got a health',
    )
  })

  it('knows a request that was given in place of the options, since the factory itself was used', () => {
    const request = { headers: {}, url: '/' }
    for (const given of [request, { req: request, res: {} }]) {
      expect(() => mount(given)).toThrow(
        'options: expected an object; use baldurHealth() with its parentheses',
      )
    }
  })

  it.each([[null], [5], ['/health'], [[]], [() => true]])('refuses %s as options', (options) => {
    expect(() => mount(options)).toThrow(/options: expected an object, got/)
  })

  it.each([[null], [5], [{}]])('refuses %j as a health', (health) => {
    expect(() => mount({ health })).toThrow(/health: expected what createHealth returned/)
  })
})
