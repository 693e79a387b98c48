import type { WatchdogStatus } from '@baldur/health-core'
import type { AdminState } from '../../../live/state.ts'
import { toneOf } from '../rules/tone.ts'
import { age, plain } from '../rules/words.ts'
import { byId, part, setText } from './elements.ts'
import { rows } from './rows.ts'
import { showTone } from './show-tone.ts'

/** Shows the components of the watchdog; `now` is of the server's clock. */
export function watchdogView(): (watchdog: AdminState['watchdog'], now: number) => void {
  const show = rows<[string, WatchdogStatus]>(
    byId('components'),
    'component-row',
    ([name]) => name,
    (row, [name, status]) => {
      showTone(row, toneOf(status))
      setText(part(row, '.label'), name)
      setText(part(row, '.state'), plain(status))
    },
  )
  return (watchdog, now) => {
    const { components = {}, at } = watchdog ?? {}
    setText(
      byId('watchdog-sum'),
      at === undefined ? 'off, or has not looked yet' : `looked ${age(now - Date.parse(at))}`,
    )
    show(Object.entries(components))
  }
}
