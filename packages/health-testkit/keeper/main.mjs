// Owns processes and one temporary folder for the program that spawned it. When the channel to that program
// closes, for whatever reason, it ends the processes, removes the folder and exits.
// Plain JavaScript, as it has to run from the sources on a Node that reads no TypeScript.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processTable, titleOf } from './process-table.mjs'
import { killGroup, killTree, pauseTree, resumeTree, send, treeOf } from './process-tree.mjs'

/** @import { KeeperMessage, KeeperOperations, KeeperRequest, ProcessSpec } from '../src/keeper-protocol.ts' */
/** @import { ProcessIdentity } from './process-tree.mjs' */
/** @typedef {{ root: ProcessIdentity, spec: ProcessSpec, gone: Promise<void> }} Kept */

/** How long a process may take to obey its end signal once the owner is gone. */
const END_MS = 2000

/** @type {Map<number, Kept>} */
const keptByKey = new Map()
/** @type {Map<number, ProcessIdentity>} */
const watchedByPid = new Map()
let ending = false

const folder = mkdtempSync(join(tmpdir(), 'health-testkit-'))
// Another user (PostgreSQL refuses to run as root) passes through to folders of its own, but cannot list this one.
chmodSync(folder, 0o711)

process.on('disconnect', end)
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, end)
process.on('message', (message) => answer(/** @type {KeeperRequest} */ (message)))
tell({ about: 'folder', folder })
// The owner may have died before the lines above were reached.
if (!process.connected) void end()

/** @type {{ [Op in keyof KeeperOperations]: (takes: KeeperOperations[Op]['takes']) => unknown }} */
const operations = {
  start,
  signal: ({ key, signal }) => {
    const kept = keptByKey.get(key)
    if (kept !== undefined) send(kept.root.pid, signal)
  },
  pause: ({ key }) => {
    // A fault that does not happen would make a test pass for nothing.
    if (!keptByKey.has(key)) throw new Error('there is nothing to pause: the process has ended')
    return onTree(key, pauseTree)
  },
  resume: ({ key }) => onTree(key, resumeTree),
  kill: async ({ key }) => {
    const kept = keptByKey.get(key)
    if (kept === undefined) return
    await killTree(kept.root)
    await kept.gone // until then its pid is a zombie's
  },
  titles: ({ key }) => onTree(key, (root) => treeOf(root).map(({ pid }) => titleOf(pid))) ?? [],
  watch: ({ pid }) => {
    watchedByPid.set(pid, identify(pid))
  },
  unwatch: ({ pid }) => {
    watchedByPid.delete(pid)
  },
}

/** @param {KeeperRequest} request */
async function answer({ id, op, takes }) {
  try {
    const operation = /** @type {(takes: unknown) => unknown} */ (operations[op])
    tell({ about: 'reply', id, value: await operation(takes) })
  } catch (error) {
    tell({ about: 'failure', id, message: error instanceof Error ? error.message : String(error) })
  }
}

/**
 * Only a process that this keeper started, and that still runs, is ever signalled.
 * @template T
 * @param {number} key
 * @param {(root: ProcessIdentity) => T} act
 */
function onTree(key, act) {
  const kept = keptByKey.get(key)
  return kept && act(kept.root)
}

/** @param {{ key: number, spec: ProcessSpec }} takes */
function start({ key, spec }) {
  if (ending) throw new Error('the keeper is ending')
  const { command, args, cwd, env, uid, gid } = spec
  const identity = uid === undefined || gid === undefined ? {} : { uid, gid }
  const child = spawn(command, args, { cwd, env, ...identity, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) return new Promise((_, reject) => child.once('error', reject))

  /** @type {Promise<void>} */
  const gone = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      keptByKey.delete(key)
      tell({ about: 'exit', key, code, signal })
      resolve()
    })
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => tell({ about: 'output', key, text }))
  }
  keptByKey.set(key, { root: identify(pid), spec, gone })
  return pid
}

/**
 * @param {number} pid
 * @returns {ProcessIdentity}
 */
function identify(pid) {
  return { pid, started: processTable().get(pid)?.started ?? '' }
}

/** @param {KeeperMessage} message */
function tell(message) {
  if (process.connected) process.send?.(message, () => {})
}

async function end() {
  if (ending) return
  ending = true
  await Promise.allSettled([...keptByKey.values()].map(endProcess))
  for (const leader of watchedByPid.values()) killGroup(leader)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  process.exit()
}

/** @param {Kept} kept */
async function endProcess({ root, spec, gone }) {
  if (spec.endSignal !== undefined) {
    send(root.pid, spec.endSignal)
    resumeTree(root) // a stopped process obeys only after this
    await Promise.race([gone, sleep(END_MS)])
  }
  await killTree(root)
}
