import { defineConfig } from 'vitest/config'
import { bundleBrowser } from './scripts/bundle-browser.mjs'

// Tests and types read the packages' sources, without a build.
const conditions = ['@baldur/source', 'module', 'node', 'default']

/** Floods, roll-outs under load, exits, growth and fleets. */
const ALONE = [
  'tests/faults/{admin-flood,admin-fuzz,rolling-*,drain-{cluster,handles,lossless,start},verdict-*,growth,busy-loop,process-checks,watchdog-event-loop}.test.ts',
]
const system = (groupOrder: number) => ({
  pool: 'forks' as const,
  sequence: { groupOrder },
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // whole systems on two cores that others use too: what needed its second try is named before the closing line
  retry: 1,
})

export default defineConfig({
  plugins: [bundleBrowser()],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    reporters: ['default', './scripts/plain-reporter.mjs'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'tests/{architecture,conformance,docs}/*.test.ts'],
          pool: 'forks',
          testTimeout: 30_000,
          hookTimeout: 60_000,
          typecheck: {
            enabled: true,
            include: ['packages/*/src/**/*.test-d.ts'],
            tsconfig: 'tsconfig.types.json',
          },
        },
      },
      {
        // real servers that are mostly waited for: four files at a time
        extends: true,
        test: {
          name: 'system',
          include: ['tests/{faults,demo,packed,page}/**/*.test.ts'],
          exclude: ALONE,
          maxWorkers: 4,
          ...system(1),
        },
      },
      {
        // what they measure is the machine's time: nothing else runs
        extends: true,
        test: { name: 'alone', include: ALONE, fileParallelism: false, ...system(2) },
      },
    ],
  },
})
