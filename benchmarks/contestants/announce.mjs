/** What the parent wants of this contestant. */
export const options = JSON.parse(process.argv[2] ?? '{}')

/** Tells the parent where this contestant listens and, when asked, how much CPU time it has used. Ends with the parent. */
export function announce(server) {
  process.on('message', () => process.send(process.cpuUsage()))
  process.on('disconnect', () => process.exit())
  process.send({ port: server.address().port })
}
