import { type Environment, type Problems, secretFault } from '@baldur/health-core/internal'
import type { Keys } from '../rules/role.ts'

/** The key of an option, else of its variable, which has been checked where it was read. A key is never echoed, not even masked. */
function readKey(
  path: string,
  value: unknown,
  ofVariable: string | undefined,
  problems: Problems,
  minLength: number,
): string | undefined {
  if (value === undefined) return ofVariable
  if (typeof value !== 'string') {
    problems.addText(path, 'a string', value === null ? 'null' : `a value of type ${typeof value}`)
    return undefined
  }
  const fault = secretFault({ minLength, isHeader: true }, value)
  if (fault !== undefined) problems.addText(path, ...fault)
  return value
}

/** The keys, each from its option or its variable; `env` tells of a variable that was set and refused. */
export function readKeys(
  options: { readonly operatorKey?: unknown; readonly viewerKey?: unknown },
  variables: Environment,
  env: Readonly<Record<string, unknown>>,
  problems: Problems,
  minLength: number,
): Keys {
  const isOption = { operator: options.operatorKey !== undefined, viewer: options.viewerKey !== undefined }
  const names = {
    operator: isOption.operator ? 'operatorKey' : 'BALDUR_ADMIN_KEY',
    viewer: isOption.viewer ? 'viewerKey' : 'BALDUR_ADMIN_READONLY_KEY',
  }
  const operator = readKey(
    'operatorKey',
    options.operatorKey,
    variables.get('BALDUR_ADMIN_KEY'),
    problems,
    minLength,
  )
  const viewer = readKey(
    'viewerKey',
    options.viewerKey,
    variables.get('BALDUR_ADMIN_READONLY_KEY'),
    problems,
    minLength,
  )
  const isOperatorSet = isOption.operator || Boolean(env.BALDUR_ADMIN_KEY)
  if (viewer !== undefined && !isOperatorSet) {
    problems.addText(names.viewer, `${names.operator} beside it`, 'a viewer key alone')
  }
  // of two variables core has said it already
  const isSaid = !isOption.operator && !isOption.viewer
  if (viewer !== undefined && viewer === operator && !isSaid) {
    problems.addText(names.viewer, `another key than ${names.operator}`, 'the same one')
  }
  return { operator, viewer }
}
