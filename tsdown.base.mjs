import { defineConfig } from 'tsdown'

/** The build of every package: ESM and CommonJS, each with its own declarations. */
export const lib = (entry, extra = {}) =>
  defineConfig({
    entry,
    format: ['esm', 'cjs'],
    dts: { oxc: true, sourcemap: true },
    sourcemap: true,
    platform: 'node',
    target: 'node20',
    fixedExtension: false,
    report: false,
    logLevel: 'warn',
    inputOptions: { checks: { pluginTimings: false } },
    ...extra,
  })

/** The build of a private program: ESM only, no declarations. */
export const app = (entry) => lib(entry, { format: ['esm'], dts: false })
