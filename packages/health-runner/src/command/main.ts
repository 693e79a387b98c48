#!/usr/bin/env node
import { createRequire } from 'node:module'
import { drainOnSignals } from '@baldur/health-drain'
import { runCommand } from './run-command.ts'

const manifest = createRequire(import.meta.url)('@baldur/health-runner/package.json') as { version: string }

// whoever reads these lines may end before the runners do
const unread = (): void => undefined
process.stdout.on('error', unread)
process.stderr.on('error', unread)

const code = await runCommand(process.argv.slice(2), {
  env: process.env,
  version: manifest.version,
  // a command line that is refused loads nothing of it
  start: async (options) => (await import('../start-runners.ts')).startRunners(options),
  drainOnSignals: (drain) => void drainOnSignals(drain),
  out: (line) => console.log(line),
  err: (line) => console.error(line),
})
// whatever a start that failed has left open
if (code !== undefined) process.exit(code)
