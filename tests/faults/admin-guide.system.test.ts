// @module-tag nginx
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAdmin } from '@baldur/health-admin'
import { createHealth } from '@baldur/health-core'
import { freePort, nginxPaths, programFile, rawRequest, spawnApp, until } from 'health-testkit'
import { expect, onTestFinished, test } from 'vitest'

const NAME = 'app-admin.example.com'
const KEY = 'the operator key'

const guide = readFileSync(new URL('../../docs/guides/admin.md', import.meta.url), 'utf8')
const [, block = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(guide) ?? []

/** The nginx of the guide in front of an admin server; TLS is left out. */
async function proxied(adminUrl: string, change: (text: string) => string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  const port = await freePort()
  const server = change(block)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace('http://127.0.0.1:9090', adminUrl)
  const text = `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${nginxPaths(folder)}\n${server}}\n`
  writeFileSync(join(folder, 'nginx.conf'), text)
  const app = await spawnApp({
    command: programFile('nginx'),
    args: ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
  })
  onTestFinished(async () => {
    await app.stop({ graceMs: 0 })
    rmSync(folder, { recursive: true, force: true })
  })
  await until(() => rawRequest({ port, path: '/', headers: { host: NAME } }))
  return port
}

async function admin(): Promise<string> {
  const health = createHealth({ env: {} })
  const server = await startAdmin({
    ...{ health, port: 0, operatorKey: KEY, allowedHosts: [NAME], env: {} },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
  onTestFinished(async () => {
    await server.close()
    await health.close()
  })
  return server.url ?? ''
}

/** What the page does from a browser that came by the name. */
const press = (port: number) =>
  rawRequest({
    ...{ port, path: '/control', method: 'POST', body: '{"enabled":false}' },
    headers: { host: NAME, origin: `https://${NAME}`, authorization: `Bearer ${KEY}` },
  })

test('behind the nginx of the guide a page may ask, under its name', async () => {
  const port = await proxied(await admin(), (text) => text)
  expect(await press(port)).toMatchObject({ status: 200, body: '{"enabled":false}\n' })
})

test('without the line of the Host it may not, as the guide says', async () => {
  expect(block).toContain('proxy_set_header Host')
  const port = await proxied(await admin(), (text) => text.replace(/^ *proxy_set_header Host .*$/m, ''))
  expect((await press(port)).status).toBe(403)
})
