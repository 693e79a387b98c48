// Loaded before a program: the names that it looks up are ours to answer.
import dns from 'node:dns'

const HANG_MS = 8_000

const KNOWN = { 'app.test': '127.0.0.1', 'bound.test': '127.0.0.2' }
const lookUp = dns.lookup

dns.lookup = (name, ...rest) => {
  const tell = rest.pop()
  const [options = {}] = rest
  if (name in KNOWN) {
    const found = [{ address: KNOWN[name], family: 4 }]
    setImmediate(() => (options.all ? tell(null, found) : tell(null, found[0].address, 4)))
  } else if (!name.endsWith('.test')) {
    lookUp(name, options, tell)
  } else if (name === 'nobody.test') {
    setImmediate(() => tell(Object.assign(new Error('hunter2'), { code: 'ENOTFOUND' })))
  } else {
    // a resolver that says nothing: the exit of a process waits for the thread that asks it
    setTimeout(() => {}, HANG_MS)
    process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HANG_MS))
  }
}
