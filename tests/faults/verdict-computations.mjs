// Computes the verdict many times on a clock that runs a second per computation, alone and over a shared store, and
// tells what is held before and after. Run with --expose-gc and a count.
import { createHook } from 'node:async_hooks'
import { createHealth } from '@baldur/health-core'

const computations = Number(process.argv[2])
const live = new Map()
const hook = createHook({
  init: (id, type) => {
    if (type !== 'PROMISE') live.set(id, type)
  },
  destroy: (id) => live.delete(id),
})

let now = 1_000
const clock = {
  now: () => now,
  wall: () => now,
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms).unref()
    return () => clearTimeout(timer)
  },
}
const entries = new Map()
const store = {
  read: async (key) => {
    const entry = entries.get(key)
    return entry && { text: entry.text, remainingMs: entry.until - now }
  },
  claim: async () => true,
  write: async (key, _claim, text, lifeMs) => void entries.set(key, { text, until: now + lifeMs }),
}
let runs = 0
const check = {
  name: 'x',
  run: () => {
    runs += 1
    // up and down for some time each, so that the machine moves too
    return runs % 1_000 < 900
  },
}
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const make = (verdict) =>
  createHealth({ databases: { default: check }, env: {}, namespace: 'a', clock, logger, verdict })
const alone = make({ refresh: true })
const shared = make({ refresh: true, store })

async function compute(times) {
  for (let i = 0; i < times; i++) {
    now += 1_000
    await alone.verdict({ nocache: true })
    // every L2 has ended by then: it looks, claims, computes and writes
    now += 15_000
    await shared.verdict()
    if (i % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
async function held() {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 20))
  globalThis.gc()
  globalThis.gc()
  return { heap: process.memoryUsage().heapUsed, handles: live.size }
}

hook.enable()
await compute(5_000)
const before = await held()
const runsBefore = runs
await compute(computations / 2)
const after = await held()
console.log(`held ${JSON.stringify({ before, after, runs: runs - runsBefore })}`)
await Promise.all([alone.close(), shared.close()])
