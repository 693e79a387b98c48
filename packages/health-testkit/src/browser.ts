import { type Browser, chromium } from 'playwright-core'
import { programFile } from './programs.ts'

/** No sandbox, since root has none; and none of the requests that a browser makes on its own account. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts a headless Chromium: the one that TEST_CHROMIUM_BIN names, else Chromium or Chrome from PATH. */
export function startBrowser(env: NodeJS.ProcessEnv = process.env): Promise<Browser> {
  return chromium.launch({ executablePath: programFile('chromium', env), headless: true, args: ARGS })
}
