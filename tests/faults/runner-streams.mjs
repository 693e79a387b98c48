// As a program: runners behind a gateway, whose memory is looked at from outside. As a runner: it streams what it is asked for.
import { createServer } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const PIECE = Buffer.alloc(65_536, 'x')

if (process.env.BALDUR_RUNNER_CONTROL === undefined) {
  const { startRunners } = await import('@baldur/health-runner')
  const { port } = await startRunners({ command: fileURLToPath(import.meta.url), port: 0, env: {} })
  console.log(`listening on ${port}`)
} else {
  createServer((request, response) => {
    const url = new URL(request.url, 'http://runner')
    if (request.method === 'POST') {
      let bytes = 0
      request.on('data', (part) => {
        bytes += part.length
      })
      request.on('end', () => response.end(String(bytes)))
      return
    }
    let left = Number(url.searchParams.get('bytes'))
    const body = new Readable({
      read() {
        left -= PIECE.length
        this.push(left < 0 ? null : PIECE)
      },
    })
    response.writeHead(200)
    pipeline(body, response, () => undefined)
  }).listen(Number(process.env.PORT), process.env.HOST)
}
