import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { createServer as createPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from 'health-testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { healthcheck, listening, says } from './healthcheck-program.ts'

let folder: string
let pair: { readonly key: string; readonly cert: string }
let trusted: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthcheck-'))
  pair = await selfSigned()
  const file = join(folder, 'ca.pem')
  await writeFile(file, pair.cert)
  trusted = { NODE_EXTRA_CA_CERTS: file }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const serving = (status = 200) => createServer(pair, (_request, response) => response.writeHead(status).end())
const ask = (url: string, env = {}) => healthcheck([url, '--timeout', '2'], env)

describe('over TLS', () => {
  test.each([
    ['localhost', '127.0.0.1'],
    ['localhost', '::1'],
    ['127.0.0.1', '127.0.0.1'],
  ])('exits with 0 on 200 where the certificate is trusted: %s on %s', async (name, host) => {
    const port = await listening(serving(), host)
    expect(await ask(`https://${name}:${port}/`, trusted)).toMatchObject({ code: 0, stderr: [] })
  })

  test('exits with 1 on 503', async () => {
    const port = await listening(serving(503))
    expect(await ask(`https://127.0.0.1:${port}/`, trusted)).toMatchObject({
      code: 1,
      stderr: [`baldur-healthcheck: https://127.0.0.1:${port}/: 127.0.0.1 answered 503`],
    })
  })

  test('exits with 1 on a certificate that nobody has signed', async () => {
    const port = await listening(serving())
    expect(await ask(`https://127.0.0.1:${port}/`)).toMatchObject({
      code: 1,
      stderr: [
        `baldur-healthcheck: https://127.0.0.1:${port}/: 127.0.0.1 failed with DEPTH_ZERO_SELF_SIGNED_CERT`,
      ],
    })
  })

  test('exits with 1 on a trusted certificate of another', async () => {
    const port = await listening(serving(), '127.0.0.2')
    expect(await ask(`https://127.0.0.2:${port}/`, trusted)).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining('127.0.0.2 failed with ERR_TLS_CERT_ALTNAME_INVALID')],
    })
  })

  test('exits with 1 on a server without TLS, one that says nothing, and TLS that is asked without', async () => {
    const plain = await listening(says('HTTP/1.1 200 OK\r\n\r\n'))
    expect(await ask(`https://127.0.0.1:${plain}/`, trusted)).toMatchObject({
      code: 1,
      stderr: [expect.stringMatching(/ failed with E\w+$/)],
    })
    const silent = await listening(createPlain())
    expect(await ask(`https://127.0.0.1:${silent}/`, trusted)).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining('gave no answer in 2 s')],
    })
    const tls = await listening(serving())
    expect(await ask(`http://127.0.0.1:${tls}/`)).toMatchObject({ code: 1, stderr: [expect.any(String)] })
  })
})
