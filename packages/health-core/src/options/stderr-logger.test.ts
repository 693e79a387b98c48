import { expect, it } from 'vitest'
import { createStderrWriter } from './stderr-logger.ts'

it('a line that cannot be written is counted, and the next one that can reports the number once', () => {
  const written: string[] = []
  let isFull = false
  const write = createStderrWriter((text) => {
    if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    return written.push(text)
  })
  write('a')
  isFull = true
  write('b')
  write('c')
  isFull = false
  write('d')
  write('e')
  expect(written).toEqual(['a\n', 'baldur-health warning: 2 lines could not be written here\nd\n', 'e\n'])
})
