import { quantile } from '../figures.mjs'
import { saturate } from '../load/saturate.mjs'

/** One server under full load for a moment: what each request cost it. */
export async function slice({ contestant, connections }, path, ms) {
  const before = await contestant.cpuMicros()
  const { latencies, seconds } = await saturate(connections, { path, ms })
  const micros = (await contestant.cpuMicros()) - before
  return {
    perSecond: latencies.length / seconds,
    p99: quantile(latencies, 0.99),
    micros: micros / latencies.length,
    share: micros / 1e6 / seconds,
  }
}
