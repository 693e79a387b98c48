import { readFile } from 'node:fs/promises'
import { createHealth } from '@baldur/health-core'

/** Usable while a licence file is there and not empty. Throwing, hanging or returning nonsense would all read as failed. */
const licence = {
  name: 'licence',
  fall: 2, // one bad run is no outage
  minIntervalMs: 30_000,
  run: async (signal) => (await readFile(process.env.LICENCE_FILE ?? 'LICENCE', { signal })).length > 0,
}
const mail = {
  name: 'mail',
  critical: false,
  codes: { QUEUE_FULL: 'mail queue is full' }, // anyone may read these texts
  run: () => ({ usable: false, code: 'QUEUE_FULL' }),
}

const health = createHealth({ checks: [licence, mail] })
const loaded = health.setup(async () => 'what has to be there before the first request')

console.log((await health.readiness()).status) // starting
console.log(await loaded, (await health.readiness()).checks, (await health.verdict()).status)
