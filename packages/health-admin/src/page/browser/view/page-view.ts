import type { AdminState, HelloState } from '../../../live/state.ts'
import { announcement } from '../rules/announce.ts'
import { type Headline, linkWords, titleOf } from '../rules/headline.ts'
import type { Link } from '../rules/link.ts'
import type { Memory } from '../rules/memory.ts'
import { timeline } from '../rules/timeline.ts'
import { age, span } from '../rules/words.ts'
import { byId, setAttribute, setHidden, setOptional, setText } from './elements.ts'
import { showIcon } from './favicon.ts'
import { noticeView } from './notice.ts'
import { checksView } from './show-checks.ts'
import { showFacts } from './show-facts.ts'
import { headlineView } from './show-headline.ts'
import { localTime } from './show-time.ts'
import { timelineView } from './show-timeline.ts'
import { watchdogView } from './show-watchdog.ts'
import { whoView } from './show-who.ts'

/** With more checks than these the timeline would be far below. */
const FEW_CHECKS = 8

/** The timeline stands below a few checks, and beside many. */
function place(checks: number): void {
  const [section, side, who] = [byId('timeline-section'), byId('side'), byId('who-section')]
  const isBeside = checks > FEW_CHECKS
  if (isBeside === (section.parentElement === side)) return
  if (isBeside) side.insertBefore(section, who)
  else byId('wide').append(section)
}

/** Where the next attempt can be made at once: also while one is under way, so that the button does not come and go. */
const TRIED_AGAIN: ReadonlySet<Link['kind']> = new Set(['lost', 'left', 'full'])

/** All that the page shows. */
export interface Picture {
  readonly link: Link
  readonly nextTryAt: number | undefined
  readonly state: AdminState | undefined
  readonly headline: Headline
  readonly memory: Memory
  readonly role: HelloState['role'] | undefined
  readonly hasKey: boolean
  readonly skewMs: number
  /** By the browser's clock. */
  readonly now: number
}

export function pageView(): (picture: Picture) => void {
  const views = {
    headline: headlineView(),
    notice: noticeView(),
    checks: checksView(),
    watchdog: watchdogView(),
    timeline: timelineView(),
    who: whoView(),
  }
  let announced = ''

  return (picture) => {
    const { link, nextTryAt, state, headline, memory, hasKey, now, skewMs } = picture
    const serverNow = now - skewMs
    views.headline(headline, serverNow)
    const notice = views.notice(memory)
    const title = titleOf(headline, link, state)
    if (document.title !== title) document.title = title
    showIcon(headline.tone)
    setText(byId('service'), state?.instance.namespace ?? '')
    setAttribute(byId('link'), 'data-kind', link.kind)
    setText(byId('link-words'), linkWords(link, now, nextTryAt))
    setHidden(byId('try-now'), !TRIED_AGAIN.has(link.kind))
    setHidden(byId('forget'), !hasKey)
    const { key, text } = announcement(headline, notice)
    if (link.kind !== 'joining' && key !== announced) {
      announced = key
      setText(byId('announcer'), text)
    }
    for (const id of ['facts', 'dashboard']) byId(id).hidden = state === undefined
    if (state !== undefined) showState({ ...picture, state }, serverNow)
  }

  function showState(
    { link, state, role, memory, skewMs }: Picture & { state: AdminState },
    now: number,
  ): void {
    const isStale = link.kind !== 'live'
    const at = Date.parse(state.at)
    for (const id of ['facts', 'dashboard']) setAttribute(byId(id), 'data-stale', isStale ? '' : undefined)
    setOptional(
      byId('as-of'),
      isStale ? `What it said last, at ${localTime(at)}, ${age(now - at)}:` : undefined,
    )
    showFacts(state, role === 'operator' && !isStale)
    place(state.checks.length)
    views.checks(state.checks, Math.max(0, now - at))
    views.watchdog(state.watchdog, now)
    // what has been lost goes on for nobody knows how long
    const known = isStale ? at : now
    const up = span(known - Date.parse(state.instance.started_at))
    views.timeline(timeline(memory, known), `No change in ${up}, since the start.`)
    views.who(state.instance, role, known, skewMs)
  }
}
