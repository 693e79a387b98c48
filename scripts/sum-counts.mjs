// Prints the sum of the counts that scripts/plain-reporter.mjs wrote to a file: 'N passed, N failed'.
import { readFileSync } from 'node:fs'

const runs = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
const sum = (key) => runs.reduce((total, counts) => total + counts[key], 0)
const skipped = sum('skipped')
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
