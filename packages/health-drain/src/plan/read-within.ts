import { createProblems, isPlain, refuseUnknown } from '@baldur/health-core/internal'

/** Checks what `start` is given; throws a `HealthConfigError` with everything that is wrong. */
export function readWithin(options: { readonly withinMs?: number | undefined }): number | undefined {
  const problems = createProblems()
  if (isPlain(options)) refuseUnknown('start', { ...options }, ['withinMs'], problems)
  else problems.add('start.options', 'an object', options)
  const withinMs: unknown = options?.withinMs
  if (withinMs !== undefined && !(typeof withinMs === 'number' && withinMs >= 0)) {
    problems.add('start.withinMs', '0 or more milliseconds', withinMs)
  }
  problems.throwIfAny()
  return withinMs as number | undefined
}
