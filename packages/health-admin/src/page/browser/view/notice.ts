import type { Memory } from '../rules/memory.ts'
import { byId, setHidden, setText } from './elements.ts'
import { localTime } from './show-time.ts'

/** Tells of the last restart until it is dismissed; gives what it says. */
export function noticeView(): (memory: Memory) => string {
  let dismissed = ''
  byId('dismiss').addEventListener('click', () => {
    dismissed = byId('notice-text').textContent
    setHidden(byId('notice'), true)
  })
  return ({ sightings }) => {
    const restart = sightings.findLast(({ kind }) => kind === 'restart')
    const text = restart === undefined ? '' : `${restart.text}. It started at ${localTime(restart.at)}.`
    if (text !== '') setText(byId('notice-text'), text)
    setHidden(byId('notice'), text === '' || text === dismissed)
    return text
  }
}
