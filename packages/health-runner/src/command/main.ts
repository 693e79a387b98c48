#!/usr/bin/env node
import { createRequire } from 'node:module'
import { drainOnSignals } from '@baldur/health-drain'
import { runCommand } from './run-command.ts'

// whoever reads the log may be gone before the runners are: a line that nobody can be told must not end them
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const manifest = createRequire(import.meta.url)('@baldur/health-runner/package.json') as { version: string }

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
