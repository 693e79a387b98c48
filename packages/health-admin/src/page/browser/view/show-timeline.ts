import type { TimelineItem } from '../rules/timeline.ts'
import { toneOf } from '../rules/tone.ts'
import { byId, part, setAttribute, setOptional, setText } from './elements.ts'
import { rows } from './rows.ts'
import { localTime, utcTime } from './show-time.ts'

/** As many are shown at first. */
const FEW = 6

/** Shows the timeline, its newest lines first; `empty` is said where there is none. */
export function timelineView(): (items: readonly TimelineItem[], empty: string) => void {
  const more = byId('timeline-more')
  const show = rows<TimelineItem>(byId('timeline'), 'timeline-row', ({ key }) => key, fill)
  let isOpen = false
  let latest: readonly TimelineItem[] = []

  const render = (): void => {
    show(isOpen ? latest : latest.slice(0, FEW))
    more.hidden = latest.length <= FEW
    setAttribute(more, 'aria-expanded', String(isOpen))
    setText(more, isOpen ? 'Show fewer' : `Show all ${latest.length}`)
  }
  more.addEventListener('click', () => {
    isOpen = !isOpen
    render()
  })
  return (items, empty) => {
    latest = items
    setOptional(byId('timeline-empty'), items.length === 0 ? empty : undefined)
    render()
  }
}

function fill(row: Element, { at, move, text, lasted }: TimelineItem): void {
  const time = part<HTMLTimeElement>(row, 'time')
  time.dateTime = utcTime(at)
  time.title = utcTime(at)
  setText(time, localTime(at))
  setText(part(row, '.from'), move === undefined ? '' : `${move.from} → `)
  setText(part(row, 'strong'), move === undefined ? text : move.to)
  setAttribute(row, 'data-tone', move === undefined ? 'unknown' : toneOf(move.to))
  setText(part(row, '.why'), move === undefined ? '' : text)
  setText(part(row, '.lasted'), lasted ?? '')
}
