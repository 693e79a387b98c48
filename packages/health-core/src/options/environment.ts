import type { Logger } from '../vocabulary/logger.ts'
import { nearest } from './nearest.ts'
import { type Problems, show } from './problems.ts'
import { secretFault } from './secret-fault.ts'
import { urlFault } from './url-fault.ts'
import { VARIABLES, type Variable } from './variables.ts'

/** The variables that are set, each checked. Durations still in seconds, as they were written. */
export type Environment = ReadonlyMap<string, string>

const DECIMAL = /^\d+(?:\.\d+)?$/

/** What is wrong with a value, as [what is allowed, what to say it was], or undefined. */
function fault(variable: Variable, value: string): readonly [expected: string, got: string] | undefined {
  const shown = show(value)
  switch (variable.kind) {
    case 'seconds': {
      const { min, max } = variable
      const number = Number(value)
      const isFine = DECIMAL.test(value) && number >= min && number <= max
      return isFine ? undefined : [`${min} to ${max} seconds`, shown]
    }
    case 'choice':
      return variable.choices.includes(value) ? undefined : [variable.choices.join(' or '), shown]
    case 'pattern':
      return variable.pattern.test(value) ? undefined : [variable.allowed, shown]
    case 'port':
      return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
        ? undefined
        : ['a port from 0 to 65535 (0 picks one)', shown]
    case 'secret':
      return secretFault(variable, value)
    case 'url':
      return urlFault(variable, value)
    case 'text':
      return undefined
  }
}

const isServiceLink = (name: string, value: string): boolean =>
  value.startsWith('tcp://') ||
  /_SERVICE_(?:HOST|PORT)(?:_[A-Z0-9_]+)?$|_PORT_\d+_(?:TCP|UDP)(?:_[A-Z]+)?$/.test(name)

/** Reads every `BALDUR_*` variable. An empty one counts as absent; an unknown one is warned of, since other programs may share the prefix. */
export function readEnvironment(
  env: Readonly<Record<string, unknown>>,
  problems: Problems,
  logger: Pick<Logger, 'warn'>,
): Environment {
  const known = new Map(VARIABLES.map((variable) => [variable.name, variable]))
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith('BALDUR_') || value === undefined || value === '') continue
    if (typeof value !== 'string') {
      // its value may be a key or a password
      problems.addText(name, 'a string', `a value of type ${typeof value}`)
      continue
    }
    const variable = known.get(name)
    if (isServiceLink(name, value)) {
      if (variable !== undefined) logger.warn(`${name} is ignored: its value is a Kubernetes service link`)
      continue
    }
    if (variable === undefined) {
      const meant = nearest(name, [...known.keys()])
      logger.warn(`${name} is not a known variable${meant === undefined ? '' : `; did you mean ${meant}?`}`)
      continue
    }
    const wrong = fault(variable, value)
    if (wrong === undefined) values.set(name, value)
    else problems.addText(name, ...wrong)
  }
  const operator = values.get('BALDUR_ADMIN_KEY')
  if (operator !== undefined && operator === values.get('BALDUR_ADMIN_READONLY_KEY')) {
    problems.addText('BALDUR_ADMIN_READONLY_KEY', 'another key than BALDUR_ADMIN_KEY', 'the same one')
  }
  return values
}
