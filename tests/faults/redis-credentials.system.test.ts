// @module-tag redis-server
import { type PrivateServer, startRedis, until } from 'health-testkit'
import { Redis } from 'ioredis'
import { afterEach, expect, test } from 'vitest'
import { type SharedService, startShared } from './shared-service.ts'

let redis: PrivateServer | undefined
let admin: Redis | undefined
let service: SharedService | undefined
afterEach(async () => {
  await service?.close()
  admin?.disconnect()
  await redis?.stop()
})

test.each([['100%sure'], ['a%41b'], ['%zz%25'], ["a@b:c/d?e#f'g"]])(
  'a user and a password of %s in their variables log in as they are',
  async (text) => {
    redis = await startRedis()
    admin = new Redis(redis.url)
    admin.on('error', () => undefined)
    await admin.call('ACL', 'SETUSER', text, 'on', `>${text}`, '~*', '&*', '+@all')
    const env = {
      BALDUR_REDIS_URL: redis.url,
      BALDUR_REDIS_USERNAME: text,
      BALDUR_REDIS_PASSWORD: text,
    }
    service = await startShared({ env })
    await service.get()
    const written = admin
    await until(async () => (await written.keys('*')).some((key) => !key.endsWith(':claim')))
    expect(service.lines.filter((line) => line.includes('shared results'))).toEqual([])
  },
)
