import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventParser, type StreamEvent } from './parse-events.ts'

const read = (...pieces: readonly string[]): readonly StreamEvent[] => {
  const parse = eventParser()
  return pieces.flatMap((piece) => parse(piece))
}

const STREAM =
  'retry: 1000\n\nevent: hello\ndata: {"role":"none"}\n\n: a comment\r\n\r\nevent:state\r\ndata:a\r\ndata: b\r\n\r\nid: 7\rdata: c\r\r\nevent: nothing\n\n'
const EVENTS = [
  { name: 'hello', data: '{"role":"none"}' },
  { name: 'state', data: 'a\nb' },
  { name: 'message', data: 'c' },
]

test('reads names, data of several lines, comments and other fields, whatever ends a line', () => {
  expect(read(STREAM)).toEqual(EVENTS)
})

test('gives the same however the stream is cut', () => {
  const cuts = fc.array(fc.integer({ min: 0, max: STREAM.length }))
  fc.assert(
    fc.property(cuts, (at) => {
      const places = [0, ...at.toSorted((a, b) => a - b), STREAM.length]
      const pieces = places.slice(1).map((end, index) => STREAM.slice(places[index], end))
      expect(read(...pieces)).toEqual(EVENTS)
    }),
  )
})

test('gives an event with the line that ends it, and none that has not ended', () => {
  const parse = eventParser()
  expect(parse('event: state\ndata: 1\n')).toEqual([])
  expect(parse('\n')).toEqual([{ name: 'state', data: '1' }])
  expect(parse('data: 2')).toEqual([])
})

test('one space after the colon belongs to the format, a second one to the data', () => {
  expect(read('data:  x: y\n\n')).toEqual([{ name: 'message', data: ' x: y' }])
  expect(read('data\n\n')).toEqual([{ name: 'message', data: '' }])
})
