/** An object as options are written: no array, Map, Date or the like, whose entries are no keys. */
export type Plain = Readonly<Record<string, unknown>>

export const isPlain = (value: unknown): value is Plain =>
  ['[object Object]', '[object Module]'].includes(Object.prototype.toString.call(value))

/** Whether an object has all of these functions. */
export const hasFunctions = (value: unknown, names: readonly string[]): boolean =>
  value !== null &&
  (typeof value === 'object' || typeof value === 'function') &&
  names.every((name) => typeof (value as Plain)[name] === 'function')
