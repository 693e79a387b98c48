// Installs the workspace with the pinned pnpm; does nothing while the lockfile is unchanged.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const at = (path) => new URL(`../${path}`, import.meta.url)
const read = (path) => {
  try {
    return readFileSync(at(path), 'utf8')
  } catch {
    return '' // no stamp yet: a first install
  }
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or newer is needed, this is ${process.version}`)
  process.exit(1)
}

const stamp = createHash('sha256')
  .update(read('pnpm-lock.yaml'))
  .update(read('pnpm-workspace.yaml'))
  .update(process.version)
  .digest('hex')
if (read('node_modules/.bootstrap') === stamp) process.exit(0)

// npm and pnpm leave their own settings in the environment: a nested npx must not take them for its own
const env = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => !/^npm_config_(call|package)$/i.test(key)),
)
const pinned = JSON.parse(read('package.json')).packageManager.split('+')[0]
const underPnpm = (process.env.npm_config_user_agent ?? '').startsWith('pnpm/')
const [command, ...args] = underPnpm ? ['pnpm'] : ['npx', '-y', pinned]
console.error('installing the workspace (first run, or the lockfile changed)')
const run = spawnSync(command, [...args, 'install', '--frozen-lockfile'], {
  cwd: at('.'),
  env,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (run.status === 0) writeFileSync(at('node_modules/.bootstrap'), stamp)
process.exit(run.status ?? 1)
