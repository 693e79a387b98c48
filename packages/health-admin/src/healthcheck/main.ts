#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { ask } from './ask.ts'
import { firstGood } from './first-good.ts'
import { HELP } from './help.ts'
import { failure } from './outcome.ts'
import { readArguments } from './read-arguments.ts'
import { ENDING } from './signals.ts'

/** Docker keeps 4096 bytes of what a health check says, and the reason stands at the end. */
const SHOWN_CHARS = 200

// whatever goes wrong: Docker reserves 2, and knows no other
process.exitCode = 1

function end(code: 0 | 1, line: string): never {
  try {
    if (line !== '') writeSync(code === 0 ? 1 : 2, line)
  } catch {
    // nobody listens; the exit code says it
  }
  process.exit(code)
}

const fail = (why: string): never => end(1, `baldur-healthcheck: ${why}\n`)

process.on('uncaughtException', (error) => fail(`it ${failure(error).words}`))
for (const signal of ENDING) process.on(signal, () => fail(`ended by ${signal}`))

const command = readArguments(process.argv.slice(2), process.env)
if (command.kind === 'help') end(0, HELP)
if (command.kind === 'refused') fail(command.why)
else if (command.kind === 'ask') {
  const { target, timeoutMs } = command
  void firstGood({
    hosts: target.hosts,
    timeoutMs,
    ask: (host, signal) => ask(target, host, signal),
    after: (ms, fire) => {
      const timer = setTimeout(fire, ms)
      return () => clearTimeout(timer)
    },
  }).then((outcomes) => {
    if ([...outcomes.values()].some(({ isGood }) => isGood)) end(0, '')
    const told = [...outcomes].map(([host, { words }]) => `${host} ${words}`)
    fail(`${target.shown.slice(0, SHOWN_CHARS)}: ${told.join(', ')}`)
  })
}
