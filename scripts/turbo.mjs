// Runs turbo with the workspace's own binaries on PATH (it needs pnpm there) and telemetry off.
import { spawnSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))
const env = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  PATH: `${bin}${delimiter}${process.env.PATH}`,
}
const run = spawnSync('turbo', process.argv.slice(2), {
  env,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exit(run.status ?? 1)
