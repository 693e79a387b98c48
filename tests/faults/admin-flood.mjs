// Opens connections to a port, as many as it is told, and holds them for as long as the server does; says how many were open at most.
import { connect } from 'node:net'

const [port, count, holdMs] = process.argv.slice(2).map(Number)
let made = 0
let open = 0
let most = 0
const sockets = new Set()
const next = () => {
  if (made === count) return
  made += 1
  const socket = connect(port, '127.0.0.1')
  sockets.add(socket)
  socket.on('connect', () => {
    open += 1
    most = Math.max(most, open)
    // half a head, which goes on for ever
    socket.write('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
    next()
  })
  const gone = () => {
    if (sockets.delete(socket) && socket.wasOpen) open -= 1
  }
  socket.on('connect', () => {
    socket.wasOpen = true
  })
  socket.on('error', gone)
  socket.on('close', () => {
    gone()
    if (made === count && sockets.size === 0) process.exit()
  })
}
for (let i = 0; i < 200; i++) next()
const drip = setInterval(() => {
  for (const socket of sockets) if (socket.wasOpen) socket.write('x')
}, 250)
const tell = setInterval(() => {
  if (made < count) return
  clearInterval(tell)
  console.log(`made ${made}, at most ${most} open`)
}, 20)
setTimeout(() => {
  clearInterval(drip)
  process.exit()
}, holdMs)
