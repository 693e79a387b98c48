// what the server itself adds
const OWN = ['date', 'connection', 'keep-alive', 'transfer-encoding']

function parse(response) {
  const end = response.indexOf('\r\n\r\n')
  const [statusLine, ...lines] = response.slice(0, end).split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
  })
  const isChunked = headers.some(([name]) => name === 'transfer-encoding')
  const rest = response.slice(end + 4)
  const body = isChunked ? rest.replace(/^[0-9a-f]+\r\n/, '').replace(/\r\n0\r\n\r\n$/, '') : rest
  return { statusLine, headers, body, isChunked }
}

/** What a twin has to say to answer the same; always with a length, which is what a constant answer would have. */
export function answerOf(response) {
  const { headers, body } = parse(response)
  const kept = headers.filter(([name]) => !OWN.includes(name))
  return { headers: { ...Object.fromEntries(kept), 'content-length': String(body.length) }, body }
}

/** Times and ages change from one answer to the next, also of one server. */
const steady = (text) =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>').replace(/"age_ms":\d+/g, '"age_ms":<age>')

function said({ statusLine, headers, body }, ignored) {
  const kept = headers.filter(([name]) => !ignored.includes(name))
  return JSON.stringify([statusLine, kept, steady(body)])
}

/** How two responses compare, byte by byte but for the time. Throws when they differ in more than framing. */
export function difference(a, b) {
  const [left, right] = [parse(a), parse(b)]
  // the length of a body with an age in it changes with it
  if (said(left, ['date', 'content-length']) === said(right, ['date', 'content-length'])) return 'same bytes'
  const framing = [...OWN, 'content-length']
  if (said(left, framing) !== said(right, framing)) {
    throw new Error(`the twin answers something else:\n${a}\n\nand:\n${b}`)
  }
  return left.isChunked && !right.isChunked ? 'same but framing: A is chunked' : 'same but server headers'
}
