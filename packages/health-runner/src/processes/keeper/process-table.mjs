// What Linux tells of processes. Elsewhere there is no such table, and only groups are known.
import { readdirSync, readFileSync } from 'node:fs'

/** @typedef {{ pid: number, group: number, isDead: boolean, startedAt: string }} Entry */

/**
 * A process may end between any two looks at it.
 * @param {string} path
 */
function readIfThere(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

/**
 * @param {number} pid
 * @returns {Entry | undefined}
 */
export function entryOf(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // the name before the last bracket may hold anything
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', , group = '0'] = fields
  return { pid, group: Number(group), isDead: state === 'Z' || state === 'X', startedAt: fields[19] ?? '' }
}

/** @returns {number[]} */
function pids() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/**
 * Whether a process of this group still runs; one that has ended, and only waits to be noticed, does not.
 * @param {number} group
 */
export function isGroupAlive(group) {
  try {
    process.kill(-group, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH'
  }
  const entries = pids()
    .map(entryOf)
    .filter((entry) => entry?.group === group)
  return entries.length === 0 || entries.some((entry) => entry?.isDead === false)
}

/**
 * Whether a process has ended, although its parent has not been told yet.
 * @param {number} pid
 */
export const hasEnded = (pid) => entryOf(pid)?.isDead === true

/**
 * The processes of this group.
 * @param {number} group
 */
export const membersOf = (group) => pids().filter((pid) => entryOf(pid)?.group === group)

/**
 * The running processes that have all these variables, each as `NAME=value`.
 * @param {readonly string[]} variables
 */
export const markedWith = (variables) =>
  pids().filter((pid) => {
    const environment = readIfThere(`/proc/${pid}/environ`)
    if (environment === undefined || environment === '' || entryOf(pid)?.isDead !== false) return false
    const all = new Set(environment.split('\0'))
    return variables.every((variable) => all.has(variable))
  })
