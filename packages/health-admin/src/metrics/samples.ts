import type { Sample } from './instrument.ts'

/** One value, or none where it is not known. */
export const one = (value: number | undefined, labels: Sample['labels'] = {}): readonly Sample[] =>
  value === undefined || !Number.isFinite(value) ? [] : [{ labels, value }]

/** One sample per state; none while it is not known. */
export const states = (
  label: string,
  all: readonly string[],
  current: string | undefined,
  labels: Sample['labels'] = {},
): readonly Sample[] =>
  current === undefined
    ? []
    : all.map((state) => ({ labels: { ...labels, [label]: state }, value: state === current ? 1 : 0 }))
