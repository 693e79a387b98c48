import type { Distribution, Instrument } from './instrument.ts'

type Named = Pick<Instrument | Distribution, 'name' | 'unit' | 'kind'>

/** As OpenTelemetry writes it: parts between dots, the unit beside the name. */
export const openTelemetryName = ({ name }: Named): string => `baldur.${name}`

/** As Prometheus writes it: the unit and `_total` are part of the name. */
export function prometheusName({ name, unit, kind }: Named): string {
  const seconds = unit === 's' ? '_seconds' : ''
  return `baldur_${name.replaceAll('.', '_')}${seconds}${kind === 'counter' ? '_total' : ''}`
}
