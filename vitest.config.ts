import { defineConfig } from 'vitest/config'

// Tests and types read the packages' sources, without a build.
const conditions = ['@baldur/source', 'module', 'node', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    reporters: ['default', './scripts/plain-reporter.mjs'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
