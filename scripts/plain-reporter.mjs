// Prints one plain closing line, 'N passed, N failed', whatever terminal or colour setting is in use.
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
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.on('exit', () => console.log(`${count.passed} passed, ${count.failed} failed${skipped}`))
  }
}
