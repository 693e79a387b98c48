import type { Flag } from './flags.ts'

const DECIMAL = /^\d+(?:\.\d+)?$/
const WHOLE = /^\d+$/

function readNumber(text: string, unit: 'milliseconds' | 'bytes' | ''): number | undefined {
  if (unit === 'milliseconds') return DECIMAL.test(text) ? Math.round(Number(text) * 1_000) : undefined
  return WHOLE.test(text) ? Number(text) : undefined
}

/** The option's value for what was written, or undefined for what is not allowed. */
export function readValue(flag: Flag, text: string): unknown {
  switch (flag.kind) {
    case 'number': {
      const value = readNumber(text, flag.bounds.unit)
      return value !== undefined && value >= flag.bounds.min && value <= flag.bounds.max ? value : undefined
    }
    case 'drain':
      return readNumber(text, flag.unit === 'seconds' ? 'milliseconds' : '')
    case 'text':
      return flag.pattern.test(text) ? text : undefined
    case 'port':
      return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined
    case 'choice':
      return Object.hasOwn(flag.words, text) ? flag.words[text] : undefined
    case 'list': {
      const words = text.split(',').map((word) => word.trim().toLowerCase())
      return words.every((word) => flag.words.includes(word)) ? words : undefined
    }
  }
}
