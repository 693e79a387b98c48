import type { Headline } from '../rules/headline.ts'
import { span } from '../rules/words.ts'
import { byId, part, setOptional, setText } from './elements.ts'
import { rows } from './rows.ts'
import { localTime, utcTime } from './show-time.ts'
import { showTone } from './show-tone.ts'

type Cause = Headline['causes'][number]

/** More of them are counted: all are in the list of checks. */
const MOST_CAUSES = 3

/** Shows the headline; `now` is of the server's clock. */
export function headlineView(): (headline: Headline, now: number) => void {
  const list = byId('causes')
  const showCauses = rows<Cause>(
    list,
    'cause-row',
    ({ name }) => name,
    (row, { name, problem }) => {
      setText(part(row, 'strong'), name)
      setText(part(row, 'span'), problem ?? '')
    },
  )

  return (headline, now) => {
    showTone(byId('headline'), headline.tone)
    setText(byId('verdict'), headline.word)
    setText(byId('meaning'), headline.meaning)
    const { causes, since, last } = headline
    const more = causes.length - MOST_CAUSES
    showCauses(more > 0 ? [...causes.slice(0, MOST_CAUSES), { name: `and ${more} more` }] : causes)
    list.hidden = causes.length === 0
    const element = byId('since')
    element.title = since === undefined ? '' : utcTime(since)
    const said = last === undefined ? '' : `. It last said: ${last}`
    setOptional(
      element,
      since === undefined ? undefined : `Since ${localTime(since)}, for ${span(now - since)}${said}.`,
    )
  }
}
