import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SpawnedApp, spawnApp, until } from 'health-testkit'
import { onTestFinished } from 'vitest'
import { markedWith } from '../processes/keeper/process-table.mjs'
import { APP } from './fleet-under-test.ts'

const FLEET = fileURLToPath(new URL('../processes/create-fleet.ts', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/** A process of its own with a fleet of the test's app; it says each move, `1.1 idle 4711`, and its keeper's warnings. */
const PROGRAM = `
  import { runnerImport } from 'vite'
  const { module: { createFleet } } = await runnerImport(${JSON.stringify(FLEET)})
  const clock = {
    now: () => performance.now(),
    wall: () => Date.now(),
    after: (ms, fire) => { const timer = setTimeout(fire, ms).unref(); return () => clearTimeout(timer) },
  }
  const say = (line) => console.log(line)
  const { START, RUNNERS, FILES, TEST_MARK, PATH } = process.env
  const fleet = createFleet({
    command: [process.execPath, ${JSON.stringify(APP)}], cwd: FILES,
    runnerEnv: { PATH, START, FILES, TEST_MARK }, runners: Number(RUNNERS),
    startTimeoutMs: 20000, requestTimeoutMs: 20000, killAfterMs: 20000,
    directConcurrency: 1, queuedConcurrency: 1, replace: 'start_first', healthCheck: undefined,
  }, {
    clock, logger: { debug() {}, info() {}, warn: say, error: say },
    onRunner: ({ name, to, pid }) => say(name + ' ' + to + ' ' + pid), onGuard() {},
  })
  process.once('SIGTERM', () => fleet.stop().then(() => say('stopped')))
  await fleet.start()
  say('started')
`

export interface SupervisorUnderTest {
  readonly app: SpawnedApp
  /** Running processes of the runners, their own children and strays. */
  processes(): readonly number[]
  /** The keeper's process. */
  keeper(): number | undefined
  /** What the app wrote into a file, by lines. */
  notes(file: string): readonly string[]
  /** Resolves when no process, no keeper and no control folder is left. */
  nothingLeft(): Promise<void>
}

/** The children of a process, as Linux lists them. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

export async function supervisorUnderTest(start: string, runners: number): Promise<SupervisorUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [files, temporary] = [join(folder, 'files'), join(folder, 'tmp')]
  for (const path of [files, temporary]) mkdirSync(path)
  const mark = { TEST_MARK: folder }
  const app = await spawnApp({
    args: ['--input-type=module', '-e', PROGRAM],
    cwd: PACKAGE,
    env: { ...mark, START: start, RUNNERS: String(runners), FILES: files, TMPDIR: temporary },
  })
  let lastKeeper: number | undefined
  // the supervisor has the mark, too
  const processes = () => markedWith([`TEST_MARK=${folder}`]).filter((pid) => pid !== app.pid)
  const keeper = () => {
    const isKeeper = (pid: number) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('baldur-runner keeper')
    lastKeeper = childrenOf(app.pid).find(isKeeper)
    return lastKeeper
  }
  return {
    ...{ app, processes, keeper },
    notes: (file) => {
      const names = readdirSync(files)
      return names.includes(file) ? readFileSync(join(files, file), 'utf8').split('\n').slice(0, -1) : []
    },
    nothingLeft: async () => {
      const message = 'no process and no folder to be left'
      await until(() => processes().length === 0 && readdirSync(temporary).length === 0, {
        timeoutMs: 15_000,
        message,
      })
    },
  }
}
