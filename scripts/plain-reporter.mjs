// Names the tests that passed at their second try, then prints one plain closing line, 'N passed, N failed', whatever terminal or colour setting is in use.
export default class PlainReporter {
  onTestRunEnd(modules, unhandled) {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 }
    const flaky = []
    for (const module of modules) {
      if (module.errors().length > 0) count.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state] = (count[state] ?? 0) + 1
        if (test.diagnostic()?.flaky) flaky.push(`${module.relativeModuleId}: ${test.fullName}`)
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.on('exit', () => {
      for (const name of flaky) console.log(`needed its second try: ${name}`)
      console.log(`${count.passed} passed, ${count.failed} failed${skipped}`)
    })
  }
}
