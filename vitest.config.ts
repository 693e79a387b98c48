import { defineConfig } from 'vitest/config'

// Tests and types read the packages' sources, without a build.
const conditions = ['@baldur/source', 'module', 'node', 'default']

export default defineConfig({
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
        // real servers and clocks: one file at a time, when nothing else runs
        extends: true,
        test: {
          name: 'system',
          include: ['tests/{faults,demo,packed}/**/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
