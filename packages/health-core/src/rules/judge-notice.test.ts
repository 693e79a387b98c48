import { expect, it } from 'vitest'
import { judgeNotice } from './judge-notice.ts'

const ROWS = [
  [200, 'delivered'],
  [202, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [301, 'refused'],
  [302, 'refused'],
  [307, 'refused'],
  [400, 'refused'],
  [401, 'refused'],
  [404, 'refused'],
  [408, 'again'],
  [410, 'refused'],
  [425, 'again'],
  [429, 'again'],
  [500, 'again'],
  [503, 'again'],
  [599, 'again'],
] as const

it('has 17 rows', () => expect(ROWS).toHaveLength(17))
it.each(ROWS)('a webhook that answers %i: %s', (status, judged) => expect(judgeNotice(status)).toBe(judged))
