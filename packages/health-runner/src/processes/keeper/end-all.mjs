import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @param {number} target a process, or the negative of a group
 * @param {NodeJS.Signals} signal
 */
function send(target, signal) {
  try {
    process.kill(target, signal)
  } catch (error) {
    // it has just ended, or has become another user's: nothing more can be done for either
    if (!['ESRCH', 'EPERM'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) throw error
  }
}

/**
 * Ends all that `find` finds, also what is only found later: SIGTERM once, SIGKILL from `killMs` on, for as long again
 * at most. Resolves when nothing is found, twice with `settleMs` in between.
 * @param {() => readonly number[]} find
 * @param {{ killMs: number, settleMs: number, pollMs: number }} times
 */
export async function endAll(find, { killMs, settleMs, pollMs }) {
  const startedAt = performance.now()
  const told = new Set()
  let wasEmpty = settleMs === 0
  while (performance.now() - startedAt < 2 * killMs) {
    const found = find()
    if (found.length === 0 && wasEmpty) return
    wasEmpty = found.length === 0 || settleMs === 0
    const isLate = performance.now() - startedAt >= killMs
    for (const target of found) {
      if (!isLate && told.has(target)) continue
      told.add(target)
      send(target, isLate ? 'SIGKILL' : 'SIGTERM')
    }
    await sleep(found.length === 0 ? settleMs : pollMs)
  }
}
