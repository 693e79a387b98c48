// Ends what the supervisor has started when the supervisor is gone, however it went: the pipe to it ends then.
// Plain JavaScript, as it has to run from the sources on a Node that reads no TypeScript.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { endAll } from './end-all.mjs'
import { entryOf, isGroupAlive, markedWith } from './process-table.mjs'

/** @typedef {{ pid: number, startedAt: string | undefined }} Group */

/** @type {{ folder: string, mark: string, nameVariable: string, killMs: number, settleMs: number, pollMs: number }} */
const { folder, mark, nameVariable, killMs, settleMs, pollMs } = JSON.parse(process.argv[2] ?? '')
/** The supervisor ends in order: it is in the middle of nothing, and waits for this process. */
let isNothingStarting = false
let lastKillMs = killMs
/** @type {Map<number, Group>} */
const groups = new Map()

process.title = 'baldur-runner keeper'
// a terminal and an init system tell everybody: it is the supervisor's end that counts
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => {})
// nobody reads any more: the supervisor is gone, and the end of the pipe says so too
process.stdout.on('error', () => {})

/** The number of a group whose leader is gone may be another process's by now. @param {Group} group */
const isStillOurs = ({ pid, startedAt }) => {
  const now = entryOf(pid)
  return (now === undefined || now.startedAt === startedAt) && isGroupAlive(pid)
}
const targets = () => [
  ...[...groups.values()].filter(isStillOurs).map(({ pid }) => -pid),
  ...markedWith([mark]),
]

/** What has left its group outlives its runner: that is ended too. @param {string} name */
const endStrays = (name) =>
  endAll(() => markedWith([mark, `${nameVariable}=${name}`]), { killMs, settleMs: 0, pollMs })

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  /** @type {{ watch?: number, unwatch?: number, name?: string, isOver?: boolean, killMs?: number }} */
  const { watch, unwatch, name, isOver = false, killMs: within = killMs } = JSON.parse(line)
  isNothingStarting = isOver
  lastKillMs = within
  if (watch !== undefined) groups.set(watch, { pid: watch, startedAt: entryOf(watch)?.startedAt })
  if (unwatch !== undefined) groups.delete(unwatch)
  if (unwatch !== undefined && name !== undefined) void endStrays(name)
})
lines.on('close', async () => {
  await endAll(targets, { killMs: lastKillMs, settleMs: isNothingStarting ? 0 : settleMs, pollMs })
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
process.stdout.write('ready\n')
