import { maskSecrets } from '../rules/mask-secrets.ts'
import { type ConfigProblem, HealthConfigError } from '../vocabulary/config-error.ts'

/** Shows a value in an error: short, secrets masked, with its type. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') {
    const masked = maskSecrets(value)
    // white space is often what is wrong: where nothing is masked, it is shown
    return `${JSON.stringify((masked === value.trim() ? value : masked).slice(0, 80))} (string)`
  }
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
    return `${String(value)} (${typeof value})`
  }
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Collects what is wrong, so that all of it is told at once. */
export interface Problems {
  /** `got` shows the value; `gotText` says it in words, where the value must not be seen. */
  add(path: string, expected: string, got: unknown): void
  addText(path: string, expected: string, gotText: string): void
  addAll(problems: readonly ConfigProblem[]): void
  throwIfAny(): void
}

export function createProblems(): Problems {
  const found: ConfigProblem[] = []
  return {
    add: (path, expected, got) => found.push({ path, expected, got: show(got) }),
    addText: (path, expected, got) => found.push({ path, expected, got }),
    addAll: (problems) => found.push(...problems),
    throwIfAny: () => {
      if (found.length > 0) throw new HealthConfigError(found)
    },
  }
}
