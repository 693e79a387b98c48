// Runs the tests that need servers of the system. Names first which servers it found and which are missing, with the
// one command that installs them. Installs them itself only with --install, or as root with CI=true.
// All other arguments go to vitest: node scripts/test-system.mjs tests/faults/redis-shared
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findProgram, installCommand, PROGRAM_NAMES } from '../packages/health-testkit/dist/programs.js'

const args = process.argv.slice(2)
const isCi = process.env.CI === 'true'
const installs = args.includes('--install') || (isCi && process.getuid?.() === 0)
const missing = () => PROGRAM_NAMES.filter((name) => findProgram(name) === undefined)
const list = (names) => (names.length === 0 ? 'none' : names.join(', '))

if (missing().length > 0 && installs) install(missing())
const lacking = missing()
console.log(`servers found: ${list(PROGRAM_NAMES.filter((name) => !lacking.includes(name)))}`)
if (lacking.length > 0) {
  console.log(
    `servers missing: ${list(lacking)}; the tests that need them are ${isCi ? 'failures' : 'skipped'}`,
  )
  console.log(`to install them: ${installCommand(lacking).join(' ')}`)
  if (isCi) process.exit(1)
}

const projects = ['--project', 'system*']
const files = args.filter((arg) => arg !== '--install')
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
process.exit(run(process.execPath, [vitest, 'run', ...projects, ...files]))

function install(names) {
  const [command, ...rest] = installCommand(names)
  console.log(`installing ${list(names)}: ${[command, ...rest].join(' ')}`)
  if (command === 'apt-get') run('apt-get', ['update', '-qq'])
  // apt-get fails too where a program is there and its service could not be started: what counts is what is found
  run(command, rest)
}

function run(command, rest) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status, error } = spawnSync(command, rest, { stdio: 'inherit', env })
  if (error !== undefined) console.error(`${command} could not be run: ${error.message}`)
  return status ?? 1
}
