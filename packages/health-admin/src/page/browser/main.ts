import type { AdminState, HelloState } from '../../live/state.ts'
import { headline } from './rules/headline.ts'
import type { Link } from './rules/link.ts'
import { EMPTY, remember, see } from './rules/memory.ts'
import { linkSighting, stateSighting } from './rules/sightings.ts'
import { withDrain } from './rules/with-drain.ts'
import { createSession } from './session.ts'
import { byId } from './view/elements.ts'
import { healingSwitch } from './view/healing-switch.ts'
import { keyForm } from './view/key-form.ts'
import { pageView } from './view/page-view.ts'
import { keyStore } from './wire/key-store.ts'

/** Ages are said in seconds. */
const TICK_MS = 500

const keys = keyStore()
const show = pageView()
let state: AdminState | undefined
let hello: HelloState | undefined
let memory = EMPTY
/** How far the server's clock is behind this one, when it was heard last. */
let skewMs = 0

const session = createSession(keys, {
  hello(told) {
    hello = told
    form.clear()
  },
  state(told) {
    skewMs = Date.now() - Date.parse(told.at)
    const sighting = stateSighting(state, told)
    memory = remember(sighting === undefined ? memory : see(memory, sighting), told)
    state = told
  },
  link(link, before) {
    const sighting = state === undefined ? undefined : linkSighting(link, before, Date.now())
    if (sighting !== undefined) memory = see(memory, { ...sighting, at: sighting.at - skewMs })
    if (link.kind !== before.kind || link.since !== before.since) showForm(link)
    render()
  },
})
const form = keyForm((key) => session.open(key))
const healing = healingSwitch(() => ({ key: keys.get(), isOn: state?.self_healing === true }))

/** What became of the key that was sent last. */
const FAULTS = {
  typed: 'This key was refused. It is still in the field: see whether it is whole.',
  kept: 'The key that this tab has kept is refused now: it has been changed. Type in the new one.',
}

function showForm({ kind, refused }: Link): void {
  if (kind === 'locked') form.show(refused === undefined ? '' : FAULTS[refused])
  else form.hide()
}

function render(): void {
  const { link, nextTryAt } = session
  const now = Date.now()
  const shown = state === undefined ? undefined : withDrain(state, link)
  show({
    link,
    nextTryAt,
    state: link.kind === 'locked' ? undefined : shown,
    headline: headline(link, shown, skewMs, now),
    memory,
    role: hello?.role,
    hasKey: keys.get() !== undefined,
    skewMs,
    now,
  })
}

byId('try-now').addEventListener('click', () => session.connect())
byId('forget').addEventListener('click', () => {
  state = undefined
  memory = EMPTY
  healing.clear()
  session.forget()
})
let hiddenAt = document.hidden ? Date.now() : undefined
addEventListener('online', () => {
  if (hiddenAt === undefined) session.resume()
})
document.addEventListener('visibilitychange', () => {
  hiddenAt = document.hidden ? (hiddenAt ?? Date.now()) : undefined
  if (hiddenAt === undefined) session.resume()
})
setInterval(() => {
  session.look(hiddenAt === undefined ? 0 : Date.now() - hiddenAt)
  render()
}, TICK_MS)
session.connect()
