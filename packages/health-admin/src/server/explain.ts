import type { AdminDrain, AdminHealth } from '../options.ts'
import { kubernetesBlock } from '../rules/kubernetes-block.ts'

/** The numbers in force, and the probes that fit them. */
export function explain(
  health: Pick<AdminHealth, 'explain'>,
  drain: AdminDrain | undefined,
  prefix: string | undefined,
): object {
  const explanation = health.explain()
  return {
    health: explanation,
    ...(drain === undefined ? {} : { drain: { ...drain.plan, timeline: drain.explain().split('\n') } }),
    kubernetes: kubernetesBlock({ ...explanation, prefix: prefix ?? explanation.prefix }, drain),
  }
}
