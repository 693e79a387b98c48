import { startContestant } from '../contestant.mjs'
import { askOnce } from '../load/ask-once.mjs'
import { openConnection } from '../load/connection.mjs'
import { saturate } from '../load/saturate.mjs'
import { answerOf, difference } from '../twin.mjs'

/** Two fresh, warm processes: A, and B that was told what A answers, unless it has that path itself. */
export async function startTwins({ a, b, path, has, observe, warmUpMs, connections }, databaseUrl) {
  const sides = []
  const start = async (name, own) => {
    const contestant = await startContestant(name, { databaseUrl, ...own })
    const opened = Array.from({ length: connections }, () => openConnection(contestant.port))
    sides.push({ contestant, connections: opened })
    return () => askOnce(contestant.port, path)
  }
  const stop = async () => {
    for (const side of sides) {
      for (const connection of side.connections) connection.close()
      await side.contestant.stop()
    }
  }
  try {
    const askA = await start(a, { observe })
    await askA() // fills the cache
    const askB = await start(b, has ? {} : { answers: { [path]: answerOf(await askA()) } })
    const same = difference(await askA(), await askB())
    for (const side of sides) await saturate(side.connections, { path, ms: warmUpMs })
    return { sides, same, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
