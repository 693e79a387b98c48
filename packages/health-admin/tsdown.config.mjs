import { bundleBrowser } from '../../scripts/bundle-browser.mjs'
import { lib } from '../../tsdown.base.mjs'

export default lib(['src/index.ts', 'src/open-telemetry.ts'], { plugins: [bundleBrowser()] })
