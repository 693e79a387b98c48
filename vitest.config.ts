import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findProgram, PROGRAM_NAMES } from './packages/health-testkit/src/programs.ts'
import { bundleBrowser } from './scripts/bundle-browser.mjs'
import { LongestFirst } from './scripts/longest-first.ts'

// Tests and types read the packages' sources, without a build.
const conditions = ['@baldur/source', 'module', 'node', 'default']

const SYSTEM = '**/*.system.test.ts'
/** Loads that use one core: two at a time. */
const PAIRS = 'tests/faults/{busy-loop,growth,rolling-haproxy,verdict-fleet,verdict-growth}.system.test.ts'
/** Loads that use all of the machine, and what watches it closely: nothing runs beside them. */
const ALONE = 'tests/faults/{admin-flood,redis-shared,rolling-nginx,watchdog-event-loop}.system.test.ts'
/** Half of the time of a test is waiting, for a timer or another process: two workers a core of a small machine. */
const maxWorkers = Math.max(4, availableParallelism() - 1)

export default defineConfig({
  plugins: [bundleBrowser()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    reporters: ['default', './scripts/plain-reporter.mjs'],
    pool: 'forks',
    // a fork and its imports for each file take longer than most files
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // what is waited for may take its time on a busy machine
    expect: { poll: { timeout: 15_000 } },
    // the tag of a test names the program that it needs; with CI=true nothing is skipped, so that the test fails
    tags: PROGRAM_NAMES.map((name) =>
      findProgram(name) === undefined && process.env.CI !== 'true' ? { name, skip: true } : { name },
    ),
    projects: [
      {
        // what needs nothing but the workspace: `npm test`
        extends: true,
        test: {
          name: 'workspace',
          include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [SYSTEM],
          maxWorkers,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          typecheck: {
            enabled: true,
            include: ['packages/*/src/**/*.test-d.ts'],
            tsconfig: 'tsconfig.types.json',
          },
        },
      },
      {
        // servers of the system and whole services: `npm run test:system`
        extends: true,
        test: {
          name: 'system',
          include: [`packages/${SYSTEM}`, `tests/${SYSTEM}`],
          exclude: [PAIRS, ALONE, '**/node_modules/**'],
          // each test starts several programs
          maxWorkers: Math.max(3, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system-pairs',
          include: [PAIRS],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system-alone',
          include: [ALONE],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
