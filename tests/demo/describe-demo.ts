import { describe } from 'vitest'
import { demoUnderTest } from './demo-under-test.ts'
import { describeAdmin } from './describe-admin.ts'
import { describeAnswers } from './describe-answers.ts'
import { describeDatabase } from './describe-database.ts'
import { describeDrain } from './describe-drain.ts'
import { describeSharing } from './describe-sharing.ts'
import { describeSignals } from './describe-signals.ts'
import { describeStart } from './describe-start.ts'

/** What every demo does, whatever its framework. */
export function describeDemo(
  name: string,
  { usualPort, usualAdminPort }: { readonly usualPort: number; readonly usualAdminPort: number },
): void {
  describe(name, () => {
    const demo = demoUnderTest(name)
    describeStart(demo, { usualPort, usualAdminPort })
    describeAnswers(name)
    describeDatabase(demo)
    describeDrain(demo)
    describeSharing(demo)
    describeSignals(demo)
    describeAdmin(demo, usualAdminPort)
  })
}
