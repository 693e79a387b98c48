import { expect, it } from 'vitest'
import { unfinishedText } from './unfinished-text.ts'

const request = (index: number) => ({ id: `id${index}`, method: 'POST', target: `/work/${index}?key=secret` })

it('names what is lost, without its query', () => {
  expect(unfinishedText([request(1), request(2)], { isKept: false, unfetched: 0 })).toBe(
    '2 queued requests without a result were in memory and are lost: id1 POST /work/1, id2 POST /work/2',
  )
})

it('names twenty and counts the others', () => {
  const text = unfinishedText(
    Array.from({ length: 25 }, (_, index) => request(index)),
    { isKept: true, unfetched: 0 },
  )
  expect(text).toContain('25 queued requests without a result are left in the queue for others: id0 ')
  expect(text).toMatch(/id19 POST \/work\/19, and 5 more$/)
})
