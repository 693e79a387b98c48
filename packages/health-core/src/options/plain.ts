/** An object as options are written: not null, not an array. */
export type Plain = Readonly<Record<string, unknown>>

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an object has all of these functions. */
export const hasFunctions = (value: unknown, names: readonly string[]): boolean =>
  (isPlain(value) || typeof value === 'function') &&
  names.every((name) => typeof (value as Plain)[name] === 'function')
