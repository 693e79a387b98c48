// Prints one plain closing line, 'N passed, N failed', whatever terminal or colour setting is in use.
// Where TEST_COUNTS names a file, the counts are added to it too: scripts/sum-counts.mjs adds up several runs.
import { appendFileSync } from 'node:fs'

export default class PlainReporter {
  onTestRunEnd(modules, unhandled) {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state] = (count[state] ?? 0) + 1
      }
    }
    const { passed, failed, skipped } = count
    if (process.env.TEST_COUNTS) {
      appendFileSync(process.env.TEST_COUNTS, `${JSON.stringify({ passed, failed, skipped })}\n`)
    }
    process.on('exit', () => {
      console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
    })
  }
}
