import { median, quantile } from '../figures.mjs'
import { slice } from './slice.mjs'
import { startTwins } from './twins.mjs'

/** Slices in the order AB BA AB BA, so that whatever else the machine does meets both alike. */
async function round(pair, plan, databaseUrl) {
  const { sides, same, stop } = await startTwins({ ...plan, ...pair }, databaseUrl)
  const measured = []
  try {
    for (let turn = 0; turn < plan.slices; turn += 1) {
      const taken = []
      for (const which of turn % 2 === 0 ? [0, 1] : [1, 0]) {
        taken[which] = await slice(sides[which], pair.path, plan.sliceMs)
      }
      measured.push(taken)
    }
  } finally {
    await stop()
  }
  return { same, measured }
}

function summary(title, rounds) {
  const measured = rounds.flatMap((one) => one.measured)
  const both = (key) => [0, 1].map((which) => median(measured.map((taken) => taken[which][key])))
  const ratios = measured.map(([a, b]) => a.micros / b.micros)
  return {
    title,
    same: rounds[0].same,
    perSecond: both('perSecond'),
    p99: both('p99'),
    micros: both('micros'),
    share: both('share'),
    ratio: [0.25, 0.5, 0.75].map((share) => quantile(ratios, share)),
  }
}

/** What one probe costs the server, against a twin that answers the same bytes and does nothing else. */
export async function probeCost(pairs, plan, databaseUrl, tell) {
  const rounds = pairs.map(() => [])
  for (let turn = 1; turn <= plan.rounds; turn += 1) {
    tell(`probe cost, round ${turn} of ${plan.rounds}`)
    for (const [index, pair] of pairs.entries()) rounds[index].push(await round(pair, plan, databaseUrl))
  }
  return pairs.map(({ title }, index) => summary(title, rounds[index]))
}
