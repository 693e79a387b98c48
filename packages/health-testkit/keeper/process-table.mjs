import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** @typedef {{ pid: number, parent: number, group: number, state: string, started: string }} ProcessRow */

/** Every process of the machine as it is now; a pid together with `started` names one process for good. */
export function processTable() {
  const rows = process.platform === 'linux' ? rowsOfProc() : rowsOfPs()
  return new Map(rows.map((row) => [row.pid, row]))
}

/** The title of a process, such as `postgres: checkpointer`, or an empty string once it is gone. @param {number} pid */
export function titleOf(pid) {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    }
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

// Small container images have no `ps`, so Linux reads what `ps` would read.
function rowsOfProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [rowOfStat(Number(name), readFileSync(`/proc/${name}/stat`, 'utf8'))]
      } catch {
        return [] // it ended after the listing
      }
    })
}

/**
 * The name in brackets may itself hold blanks and brackets, so the fields are counted from the last bracket.
 * @param {number} pid
 * @param {string} stat
 * @returns {ProcessRow}
 */
function rowOfStat(pid, stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group] = fields
  return { pid, parent: Number(parent), group: Number(group), state, started: fields[19] ?? '' }
}

/** @returns {ProcessRow[]} */
function rowsOfPs() {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' })
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [pid, parent, group, state = '', ...started] = line.trim().split(/\s+/)
      return {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        state,
        started: started.join(' '),
      }
    })
}
