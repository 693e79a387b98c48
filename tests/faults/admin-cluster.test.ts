import { fileURLToPath } from 'node:url'
import { freePort, spawnApp } from 'health-testkit'
import { expect, test } from 'vitest'

test('two workers of a cluster do not share an admin port, where each answer would be another worker’s', async () => {
  const port = await freePort()
  const file = fileURLToPath(new URL('admin-cluster.mjs', import.meta.url))
  const app = await spawnApp({ args: [file, String(port)] })
  const [first] = await app.waitForLine(/^worker 1: .*$/)
  const [second] = await app.waitForLine(/^worker 2: .*$/)
  expect(first).toBe(`worker 1: http://127.0.0.1:${port}`)
  expect(second).toContain(`worker 2: EADDRINUSE admin: port ${port} on 127.0.0.1 is taken`)
  await app.stop()
})
