import { bundleBrowser } from '../../scripts/bundle-browser.mjs'
import { app, lib } from '../../tsdown.base.mjs'

export default [
  lib(['src/index.ts', 'src/open-telemetry.ts'], { plugins: [bundleBrowser()] }),
  // one file of its own: what is asked every few seconds loads nothing else
  { ...app({ healthcheck: 'src/healthcheck/main.ts' }), sourcemap: false, clean: false },
]
