import { createProblems, isPlain, refuseUnknown } from '@baldur/health-core/internal'
import type { HookOptions } from '../drain.ts'
import type { Hook } from './order-hooks.ts'

/** Checks what a hook is registered with; throws one `HealthConfigError` with everything that is wrong. */
export function readHook(
  name: string,
  run: Hook['run'],
  given: HookOptions,
  { maxMs, isTaken }: { readonly maxMs: number; readonly isTaken: (name: string) => boolean },
): Hook {
  const problems = createProblems()
  if (isPlain(given)) refuseUnknown('onShutdown', { ...given }, ['timeoutMs', 'after'], problems)
  else problems.add('onShutdown.options', 'an object', given)
  const { timeoutMs, after = [] } = given ?? {}
  if (typeof name !== 'string' || name === '') problems.add('onShutdown.name', 'a text', name)
  if (isTaken(name)) problems.addText('onShutdown.name', 'a name of its own', `"${name}" twice`)
  if (typeof run !== 'function') problems.add('onShutdown.run', 'a function', run)
  if (typeof after !== 'string' && !Array.isArray(after)) {
    problems.add('onShutdown.after', 'a name or an array of names', after)
  }
  const isTime = typeof timeoutMs === 'number' && timeoutMs >= 0 && timeoutMs <= maxMs
  if (timeoutMs !== undefined && !isTime) {
    problems.add('onShutdown.timeoutMs', `0 to hookTimeoutMs (${maxMs}) milliseconds`, timeoutMs)
  }
  problems.throwIfAny()
  return { name, run, timeoutMs, after: typeof after === 'string' ? [after] : [...after] }
}
