import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { EXIT_MS, endProcesses, get, startListening, unlessLate } from './drain-process.ts'

afterAll(endProcesses)

const DELAY_MS = 500

/** A request on a connection that is kept, half of them with a body; resolves with what answered, or with what went wrong. */
async function ask(port: number, agent: Agent, index: number): Promise<string> {
  const method = index % 2 === 0 ? 'GET' : 'POST'
  const asking = request({ port, agent, method })
  asking.end(method === 'POST' ? '{"item":"lamp"}' : undefined)
  try {
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    let body = ''
    for await (const chunk of response.setEncoding('utf8')) body += chunk
    return response.statusCode === 200 ? body : `${response.statusCode}`
  } catch (error) {
    return `${method} failed: ${(error as Error).message}`
  }
}

test('a cluster of two workers is replaced twice under 20 keep-alive clients without an error, by signals and by messages', async () => {
  const app = await startListening('drain-cluster.mjs')
  let isOver = false
  const answers: string[] = []
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let index = 0; !isOver; index++) answers.push(await ask(app.port, agent, index))
    agent.destroy()
  }
  const clients = Array.from({ length: 20 }, client)
  for (const pass of [1, 2]) {
    await expect.poll(() => answers.length).toBeGreaterThan(pass * 100)
    app.signal('SIGUSR2')
    await app.waitForLine(new RegExp(`^pass ${pass} is over$`))
  }
  isOver = true
  await Promise.all(clients)
  expect(answers.filter((answer) => !answer.startsWith('worker'))).toEqual([])
  expect(new Set(answers).size, 'the workers that answered').toBe(6)
  expect(app.stdout.filter((line) => line.startsWith('worker ended'))).toEqual(
    Array.from({ length: 4 }, () => 'worker ended with 0 null'),
  )
  expect(app.stderr).toEqual([])
})

test.each([
  ['the signal that its primary gets', 'SIGTERM', 'process'],
  ['Ctrl-C, which all of them get, and the workers twice', 'SIGINT', 'group'],
] as const)('a cluster leaves as one, on %s', async (_title, signal, target) => {
  const app = await startListening('drain-cluster.mjs')
  const slow = await Promise.all(Array.from({ length: 4 }, () => app.sent(get('/slow'))))
  const began = performance.now()
  app.signal(signal, target)
  const answers: number[] = []
  while (performance.now() - began < DELAY_MS) {
    const answer = await app.get('/').catch(unlessLate(began + DELAY_MS))
    if (answer !== undefined) answers.push(answer.status)
  }
  expect(new Set(answers)).toEqual(new Set([200]))
  for (const connection of slow) {
    const { status, header } = await connection.read()
    expect([status, header('connection')]).toEqual([200, 'close'])
  }
  const { code, signal: raw, sinceSignalMs } = await app.exited
  expect([code, raw]).toEqual([0, null])
  expect(sinceSignalMs).toBeLessThan(1_000 + EXIT_MS)
  expect(app.stdout.slice(-3)).toEqual(['drains', 'worker ended with 0 null', 'worker ended with 0 null'])
  expect(app.stderr).toEqual([])
})
