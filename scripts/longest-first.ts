// Starts the longest test files first, so that no worker runs one alone at the end. On a fresh clone vitest knows no times, and
// goes by the size of a file: those that wait the longest are among the smallest.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those of 20 s and more of `npm run test:system`, and of 10 s of `npm test`. The order is of time alone: a missing one costs seconds. */
const LONGEST = [
  'tests/demo/fastify-demo.system',
  'tests/packed/packed-oldest.system',
  'tests/faults/admin-fuzz.system',
  'tests/packed/packed-newest.system',
  'tests/page/page-states.system',
  'tests/faults/runner-table.system',
  'tests/faults/runner-chaos.system',
  'tests/faults/mysql-stalled.system',
  'tests/faults/haproxy-defaults.system',
  'tests/page/page.system',
  'tests/faults/heap-limit.system',
  'tests/faults/fleet-network.system',
  'src/verdict-model.system',
  'tests/faults/runner-command.system',
  'tests/faults/rolling-haproxy.system',
  'tests/faults/verdict-fleet.system',
  'tests/faults/postgres-stalled',
  'health-drain/src/kinds',
  'health-drain/src/drain',
  'tests/faults/postgres-connections',
  'tests/faults/drain-exits',
  'src/verdict-model',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
      return found < 0 ? LONGEST.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
