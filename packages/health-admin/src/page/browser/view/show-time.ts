const isToday = (date: Date): boolean => date.toDateString() === new Date().toDateString()

const CLOCK: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
}

/** A moment by the reader's clock, with its day where that is another. */
export function localTime(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(at)) return 'unknown'
  const clock = date.toLocaleTimeString('en-GB', CLOCK)
  return isToday(date)
    ? clock
    : `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${clock}`
}

/** The same moment in UTC, as logs have it. */
export const utcTime = (at: number): string => (Number.isNaN(at) ? '' : new Date(at).toISOString())
