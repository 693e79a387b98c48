import { readdir, readFile, readlink } from 'node:fs/promises'
import { markedWith, membersOf } from './keeper/process-table.mjs'

const LISTENING = '0A'

/** The inodes of the sockets that listen on a port, as Linux lists them. */
async function listenersOn(port: number): Promise<ReadonlySet<string>> {
  const tables = await Promise.allSettled(
    ['/proc/self/net/tcp', '/proc/self/net/tcp6'].map((path) => readFile(path, 'latin1')),
  )
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = tables
    .flatMap((table) => (table.status === 'fulfilled' ? table.value.split('\n') : []))
    .map((row) => row.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(local) && state === LISTENING)
  return new Set(rows.map((row) => `socket:[${row[9]}]`))
}

/** The names of what a process holds open; undefined when that cannot be seen. */
async function openFilesOf(pid: number): Promise<readonly string[] | undefined> {
  try {
    const folder = `/proc/${pid}/fd`
    const names = await readdir(folder)
    // one may be closed between the two
    const links = await Promise.allSettled(names.map((name) => readlink(`${folder}/${name}`)))
    return links.flatMap((link) => (link.status === 'fulfilled' ? [link.value] : []))
  } catch {
    return undefined
  }
}

/** Whether one of these processes listens; undefined when that cannot be told. */
async function listens(
  pids: readonly number[],
  listeners: ReadonlySet<string>,
): Promise<boolean | undefined> {
  const files = await Promise.all(pids.map(openFilesOf))
  if (files.some((names) => names?.some((name) => listeners.has(name)))) return true
  return pids.length === 0 || files.includes(undefined) ? undefined : false
}

/**
 * Whether the port is open, but by a program that is none of this runner's: it was free when it was chosen, and
 * somebody else was faster. False when nobody can tell.
 */
export async function isSomebodyElses(
  port: number,
  group: number,
  variables: readonly string[],
): Promise<boolean> {
  const listeners = await listenersOn(port)
  if (listeners.size === 0 || (await listens([group], listeners)) !== false) return false
  if ((await listens(membersOf(group), listeners)) !== false) return false
  // what has left the group still has the variables
  return (await listens(markedWith(variables), listeners)) !== true
}
