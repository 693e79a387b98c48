import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { BAIT, type Late, listen, OPEN, pieces, type Service, type ServiceParts, SLOW_MS } from './service.ts'

const HEADERS = Object.entries(BAIT)

/** An app without a framework, which rejects all that is not open. */
function createApp(late: Late): RequestListener {
  return async ({ url = '' }, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value)
    const { way, code } = OPEN.exec(url)?.groups ?? {}
    response.statusCode = Number(code ?? 401)
    if (way === 'slow') await wait(SLOW_MS)
    if (way === 'late') {
      late.waiting += 1
      await once(response, 'close')
      response.end('nobody reads this')
      late.answered += 1
    } else if (way === 'events') {
      response.write('data: 1\n\n')
    } else if (way === 'stream' || way === 'break') {
      const stream = Readable.from(pieces(way === 'break'))
      stream.on('error', () => response.destroy())
      stream.pipe(response)
    } else {
      response.end()
    }
  }
}

/** A plain server; `mount` makes its listener from the app's. */
export function nodeService({
  mount = (app) => app,
  attach,
}: {
  readonly mount?: (app: RequestListener) => RequestListener
  readonly attach?: ServiceParts<never>['attach']
}): Promise<Service> {
  const late = { waiting: 0, answered: 0 }
  const server = createServer(mount(createApp(late)))
  attach?.(server)
  return listen(server, late)
}
