import type { AdminState, HelloState } from '../../live/state.ts'
import { headline } from './rules/headline.ts'
import type { Link } from './rules/link.ts'
import { EMPTY, remember, see } from './rules/memory.ts'
import { linkSighting, stateSighting } from './rules/sightings.ts'
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
    showForm(link)
    render()
  },
})
const form = keyForm((key) => session.open(key))
const healing = healingSwitch(() => ({ key: keys.get(), isOn: state?.self_healing === true }))

function showForm({ kind, isRefused }: Link): void {
  if (kind === 'locked')
    form.show(isRefused ? 'This key was refused. It is still in the field: see whether it is whole.' : '')
  else form.hide()
}

function render(): void {
  const { link, nextTryAt } = session
  show({
    link,
    nextTryAt,
    state: link.kind === 'locked' ? undefined : state,
    headline: headline(link, state, skewMs),
    memory,
    role: hello?.role,
    hasKey: keys.get() !== undefined,
    skewMs,
    now: Date.now(),
  })
}

byId('try-now').addEventListener('click', () => session.connect())
byId('forget').addEventListener('click', () => {
  state = undefined
  memory = EMPTY
  healing.clear()
  session.forget()
})
const tryAgain = (): void => {
  if (session.nextTryAt !== undefined && !document.hidden) session.connect()
}
addEventListener('online', tryAgain)
document.addEventListener('visibilitychange', tryAgain)
setInterval(() => {
  session.look()
  render()
}, TICK_MS)
session.connect()
