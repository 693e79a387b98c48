import { spawnSync } from 'node:child_process'
import { minimalEnv } from './minimal-env.ts'
import { programFile } from './programs.ts'

/** How Prometheus' own tool judged something. */
export interface PromtoolVerdict {
  readonly code: number | null
  /** What it wrote, standard output first. */
  readonly output: string
}

/** Runs `promtool`, which comes with Prometheus: `promtool(['check', 'metrics'], text)`. */
export function promtool(args: readonly string[], input = ''): PromtoolVerdict {
  const command = programFile('promtool')
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    input,
    encoding: 'utf8',
    env: minimalEnv(),
  })
  if (error !== undefined) throw error
  return { code: status, output: `${stdout}${stderr}` }
}
