// A health check of a few lines on `node:net`: no limits, no TLS, no second address.
import { connect } from 'node:net'

const port = Number(process.argv[2])
const socket = connect(port, '127.0.0.1', () =>
  socket.write(`GET /liveness HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
)
let text = ''
socket.on('data', (bytes) => {
  text += bytes
})
socket.on('end', () => process.exit(text.startsWith('HTTP/1.1 200 ') ? 0 : 1))
