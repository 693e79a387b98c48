const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const pair = (ms: number, big: number, bigUnit: string, small: number, smallUnit: string): string => {
  const rest = Math.floor((ms % big) / small)
  return `${Math.floor(ms / big)} ${bigUnit}${rest === 0 ? '' : ` ${rest} ${smallUnit}`}`
}

/** A span of time as it is said: its two largest units at most. */
export function span(ms: number): string {
  const whole = Math.max(0, ms)
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`
  if (whole < HOUR) return pair(whole, MINUTE, 'min', SECOND, 's')
  if (whole < DAY) return pair(whole, HOUR, 'h', MINUTE, 'min')
  return pair(whole, DAY, 'd', HOUR, 'h')
}

/** How long ago something was. */
export const age = (ms: number): string => (ms < SECOND ? 'just now' : `${span(ms)} ago`)

/** How long something took, as exact as it is worth. */
export function latency(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  return ms < MINUTE ? `${(ms / SECOND).toFixed(1)} s` : span(ms)
}

/** A word of the wire for a reader: `not_ready` is "not ready". */
export const plain = (word: string): string => word.replaceAll('_', ' ')

/** A number of things: "1 check", "40 checks". */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

const MEBIBYTE = 1024 * 1024
const UNIT = /_?(?<unit>bytes|ms|percent)$/i

/** A gauge with its value, in the unit that its name ends with: `lag_ms: 12` is "lag 12 ms". */
export function gauge(name: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return `${plain(name)} ${value ? 'yes' : 'no'}`
  if (typeof value === 'string') return `${plain(name)} ${value}`
  const unit = UNIT.exec(name)?.groups?.unit?.toLowerCase()
  const bare = name.replace(UNIT, '')
  // "items" counts items, and "ms" alone is a name
  if (unit === undefined || bare === '' || (unit === 'ms' && !/(?:_ms|Ms)$/.test(name)))
    return `${plain(name)} ${figure(value)}`
  return `${plain(bare)} ${MEASURES[unit]?.(value) ?? figure(value)}`
}

const figure = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Number.isInteger(value) ? 0 : 2 })

const MEASURES: Readonly<Record<string, (value: number) => string>> = {
  bytes: (value) => `${(value / MEBIBYTE).toFixed(value < 10 * MEBIBYTE ? 1 : 0)} MiB`,
  ms: latency,
  percent: (value) => `${figure(value)} %`,
}
