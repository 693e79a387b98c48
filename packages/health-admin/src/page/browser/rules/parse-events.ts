/** One event of a stream. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
}

/** Reads server-sent events from pieces of text, however they are cut; gives those that each piece completes. */
export function eventParser(): (piece: string) => readonly StreamEvent[] {
  let rest = ''
  let name = ''
  let data: string[] = []

  const readLine = (line: string): StreamEvent | undefined => {
    if (line === '') {
      const event = data.length === 0 ? undefined : { name: name || 'message', data: data.join('\n') }
      name = ''
      data = []
      return event
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    return undefined
  }

  return (piece) => {
    rest += piece
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return lines.map(readLine).filter((event) => event !== undefined)
  }
}
