import { connect } from 'node:net'

const LENGTH = /\r\ncontent-length: (\d+)/i
// all connections are read one after the other
const buffer = Buffer.allocUnsafe(65_536)

function isComplete(text) {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = LENGTH.exec(text)?.[1]
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length)
}

/** A keep-alive connection that asks one question at a time and costs the generator little. */
export function openConnection(port) {
  let text = ''
  let onAnswer
  const answer = (value) => {
    const tell = onAnswer
    onAnswer = undefined
    text = ''
    tell?.(value)
  }
  const socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: {
      buffer,
      callback: (size) => {
        text += buffer.latin1Slice(0, size)
        if (isComplete(text)) answer(text)
        return true
      },
    },
  })
  socket.on('error', () => {})
  socket.on('close', () => answer(undefined))
  return {
    /** Calls back with the whole response as text, or undefined when the connection ended first. */
    ask: (path, callback) => {
      onAnswer = callback
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 'latin1')
    },
    close: () => socket.destroy(),
  }
}

export const statusOf = (response) => Number(response.slice(9, 12))
