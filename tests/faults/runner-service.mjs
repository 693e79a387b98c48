// A runner whose setup and teardown do what the variables say.
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { serveRunner } from '@baldur/health-runner'

const say = (line) => writeSync(1, `${line}\n`)
const { SETUP = 'good', TEARDOWN = 'good' } = process.env

await serveRunner({
  listener: async (request, response) => {
    say(`request ${request.url}`)
    await wait(Number(new URL(request.url, 'http://x').searchParams.get('ms') ?? 0))
    response.end('app')
  },
  setup: async () => {
    say('setup')
    if (SETUP === 'throws') throw new Error('no licence at postgres://joe:hunter2@db/x')
    if (SETUP === 'hangs') await wait(60_000)
  },
  teardown: () => {
    say('teardown')
    if (TEARDOWN === 'throws') throw new Error('nothing to close')
  },
}).then(({ url }) => say(`ready on ${url}`))
