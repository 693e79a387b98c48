import { ageProcess } from './age-process.mjs'

/** What the parent wants of this contestant. */
export const options = JSON.parse(process.argv[2] ?? '{}')

/** Tells the parent where this contestant listens and, when asked, how much CPU time it has used. Ends with the parent. */
export async function announce(server) {
  await ageProcess()
  process.on('message', () => process.send(process.cpuUsage()))
  process.on('disconnect', () => process.exit())
  process.send({ port: server.address().port })
}
