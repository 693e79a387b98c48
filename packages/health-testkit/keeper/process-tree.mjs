import { setTimeout as sleep } from 'node:timers/promises'
import { processTable } from './process-table.mjs'

/** @import { ProcessRow } from './process-table.mjs' */
/** @typedef {Pick<ProcessRow, 'pid' | 'started'>} ProcessIdentity */

const PATIENCE_MS = 5000
const STOPPED_OR_DEAD = /^[TtZX]/
const DEAD = /^[ZX]/

/**
 * The process and all its descendants, ancestors first; empty when the process is gone, also if its pid is in use again.
 * @param {ProcessIdentity} root
 */
export function treeOf(root) {
  const table = processTable()
  const first = table.get(root.pid)
  if (first?.started !== root.started) return []
  const tree = [first]
  for (const ancestor of tree) {
    for (const row of table.values()) if (row.parent === ancestor.pid) tree.push(row)
  }
  return tree
}

/**
 * Stops every process of the tree, also those forked meanwhile; resolves once the system shows each as stopped.
 * @param {ProcessIdentity} root
 */
export async function pauseTree(root) {
  await eventually(`pausing process ${root.pid}`, () => {
    const running = treeOf(root).filter(({ state }) => !STOPPED_OR_DEAD.test(state))
    for (const { pid } of running) send(pid, 'SIGSTOP')
    return running.length === 0
  })
}

/** @param {ProcessIdentity} root */
export function resumeTree(root) {
  for (const { pid } of treeOf(root)) send(pid, 'SIGCONT')
}

/**
 * Kills the whole tree without a chance to clean up; resolves once no process of it runs.
 * @param {ProcessIdentity} root
 */
export async function killTree(root) {
  // Orphans lose their parent and would be missed: nobody may fork or die before the list is complete.
  await pauseTree(root)
  const tree = treeOf(root)
  for (const { pid } of tree) send(pid, 'SIGKILL')
  await eventually(`killing process ${root.pid}`, () => {
    const table = processTable()
    return tree.every(({ pid, started }) => {
      const row = table.get(pid)
      return row?.started !== started || DEAD.test(row.state)
    })
  })
}

/**
 * Kills every process of the group that this process leads or led.
 * @param {ProcessIdentity} leader
 */
export function killGroup(leader) {
  const table = processTable()
  const now = table.get(leader.pid)
  if (now !== undefined && now.started !== leader.started) return
  for (const { pid, group } of table.values()) if (group === leader.pid) send(pid, 'SIGKILL')
}

/**
 * Signals one process; one that is already gone is no error.
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * @param {string} what
 * @param {() => boolean} done
 */
async function eventually(what, done) {
  const end = performance.now() + PATIENCE_MS
  while (!done()) {
    if (performance.now() > end) throw new Error(`${what} took more than ${PATIENCE_MS} ms`)
    await sleep(1)
  }
}
