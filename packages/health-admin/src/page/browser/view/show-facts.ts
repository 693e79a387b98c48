import type { AdminState } from '../../../live/state.ts'
import { toneOf } from '../rules/tone.ts'
import { count, plain } from '../rules/words.ts'
import { byId, setAttribute, setHidden, setText } from './elements.ts'

/** Shows readiness, phase, what is in flight, and self-healing. */
export function showFacts(state: AdminState, maySwitch: boolean): void {
  fact('readiness', state.readiness)
  fact('phase', state.phase)
  byId('in-flight-fact').hidden = state.in_flight === undefined
  setText(byId('in-flight'), count(state.in_flight ?? 0, 'request'))
  setText(byId('self-healing'), state.self_healing ? 'on' : 'off')
  const button = byId('switch')
  setHidden(button, !maySwitch)
  setText(button, state.self_healing ? 'Switch off' : 'Switch on')
  setAttribute(button, 'aria-label', `Switch ${state.self_healing ? 'off' : 'on'} self-healing`)
}

function fact(id: string, word: string): void {
  setText(byId(id), plain(word))
  setAttribute(byId(id), 'data-tone', toneOf(word))
}
