import type { Environment, Problems } from '@baldur/health-core/shared'
import { KEY_PATTERN } from '../rules/key-pattern.ts'
import type { Keys } from '../rules/role.ts'

/** A key and the name it came under. A key is never echoed, not even masked. */
function readKey(
  path: string,
  variable: string,
  value: unknown,
  variables: Environment,
  problems: Problems,
  minLength: number,
): { readonly key: string | undefined; readonly name: string } {
  const name = value === undefined ? variable : path
  const key = value ?? variables.get(variable)
  if (key === undefined) return { key: undefined, name }
  const allowed = `at least ${minLength} visible ASCII characters, without white space at either end`
  if (typeof key !== 'string') problems.addText(name, allowed, `a value of type ${typeof key}`)
  else if (key.length < minLength) problems.addText(name, allowed, `${key.length} of them`)
  else if (!KEY_PATTERN.test(key)) {
    const isTrimmed = key.trim() === key
    problems.addText(name, allowed, isTrimmed ? 'other characters' : 'white space at an end (a line feed?)')
  } else return { key, name }
  // in place of what was wrong, so that nothing else is said of it
  return { key: 'wrong', name }
}

/** The keys, each from its option or its variable. */
export function readKeys(
  options: { readonly operatorKey?: unknown; readonly viewerKey?: unknown },
  variables: Environment,
  problems: Problems,
  minLength: number,
): Keys {
  const read = (path: string, variable: string, value: unknown) =>
    readKey(path, variable, value, variables, problems, minLength)
  const operator = read('operatorKey', 'BALDUR_ADMIN_KEY', options.operatorKey)
  const viewer = read('viewerKey', 'BALDUR_ADMIN_READONLY_KEY', options.viewerKey)
  // of two variables core has said it already
  const areVariables = options.operatorKey === undefined && options.viewerKey === undefined
  if (areVariables) return { operator: operator.key, viewer: viewer.key }
  if (viewer.key !== undefined && operator.key === undefined) {
    problems.addText(viewer.name, `${operator.name} beside it`, 'a viewer key alone')
  }
  if (viewer.key !== undefined && viewer.key === operator.key && viewer.key !== 'wrong') {
    problems.addText(viewer.name, `another key than ${operator.name}`, 'the same one')
  }
  return { operator: operator.key, viewer: viewer.key }
}
