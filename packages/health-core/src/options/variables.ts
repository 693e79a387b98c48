import { CHOICES, type ChoiceField, DURATIONS, SWITCHES } from './defaults.ts'

/** A variable whose value is not echoed, or which belongs to a package of its own: read there, checked here. */
export type Variable = { readonly name: string } & (
  | { readonly kind: 'seconds'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | {
      readonly kind: 'url'
      readonly protocols: readonly string[]
      readonly isReadElsewhere?: boolean
    }
  | { readonly kind: 'pattern'; readonly pattern: RegExp; readonly allowed: string }
  | { readonly kind: 'secret'; readonly minLength: number; readonly isHeader?: boolean }
  | { readonly kind: 'port' }
  | { readonly kind: 'text' }
)

/** What travels in a header as it is: a line feed at the end of a file's only line does not. */
export const HEADER_VALUE: RegExp = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

const BOOLEANS: readonly string[] = ['true', 'false']

function ofFields<Field extends { readonly variable?: string }>(
  fields: Readonly<Record<string, Field>>,
  make: (name: string, field: Field) => Variable,
): readonly Variable[] {
  return Object.values(fields).flatMap((field) =>
    field.variable === undefined ? [] : [make(field.variable, field)],
  )
}

/** Every `BALDUR_*` variable, those of packages that are not in use included. */
export const VARIABLES: readonly Variable[] = [
  ...ofFields(DURATIONS, (name, { min, max }) => ({
    name,
    kind: 'seconds',
    min: min / 1_000,
    max: max / 1_000,
  })),
  ...ofFields<ChoiceField>(CHOICES, (name, { choices }) => ({ name, kind: 'choice', choices })),
  ...ofFields(SWITCHES, (name) => ({ name, kind: 'choice', choices: BOOLEANS })),
  {
    name: 'BALDUR_SQL_DSN',
    kind: 'url',
    protocols: ['postgres', 'postgresql', 'mysql'],
    isReadElsewhere: true,
  },
  { name: 'BALDUR_REDIS_URL', kind: 'url', protocols: ['redis', 'rediss'] },
  { name: 'BALDUR_REDIS_USERNAME', kind: 'text' },
  { name: 'BALDUR_REDIS_PASSWORD', kind: 'secret', minLength: 1 },
  {
    name: 'BALDUR_NAMESPACE',
    kind: 'pattern',
    pattern: /^[a-z0-9._-]{1,64}$/,
    allowed: '1 to 64 of a-z 0-9 . _ -',
  },
  { name: 'BALDUR_META_WATCHDOG_ENABLED', kind: 'choice', choices: BOOLEANS },
  { name: 'BALDUR_META_WATCHDOG_WEBHOOK_URL', kind: 'url', protocols: ['http', 'https'] },
  { name: 'BALDUR_DRAIN_SHUTDOWN_DELAY_SECONDS', kind: 'seconds', min: 0, max: 300 },
  { name: 'BALDUR_DRAIN_REQUEST_TIMEOUT_SECONDS', kind: 'seconds', min: 0.1, max: 3_600 },
  { name: 'BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS', kind: 'seconds', min: 0, max: 300 },
  { name: 'BALDUR_DRAIN_GRACE_PERIOD_SECONDS', kind: 'seconds', min: 1, max: 3_600 },
  { name: 'BALDUR_ADMIN_ENABLED', kind: 'choice', choices: BOOLEANS },
  { name: 'BALDUR_ADMIN_BIND', kind: 'text' },
  { name: 'BALDUR_ADMIN_PORT', kind: 'port' },
  { name: 'BALDUR_ADMIN_KEY', kind: 'secret', minLength: 8, isHeader: true },
  { name: 'BALDUR_ADMIN_READONLY_KEY', kind: 'secret', minLength: 8, isHeader: true },
  { name: 'BALDUR_ADMIN_ALLOWED_HOSTS', kind: 'text' },
  // set by a supervisor for its runners
  { name: 'BALDUR_RUNNER_CONTROL', kind: 'text' },
  { name: 'BALDUR_RUNNER_NAME', kind: 'text' },
]
