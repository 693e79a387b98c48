import type { LookupFunction } from 'node:net'

const PROGRAM = `require('node:dns').lookup(process.argv[1], { all: true }, (error, found) =>
  console.log(JSON.stringify({ code: error?.code, found })))`

/** Looks a name up in a process of its own: the exit of this one would wait for a resolver that hangs. */
export function lookUpApart(signal: AbortSignal): LookupFunction {
  return (name, options, tell) => {
    void import('node:child_process').then(({ execFile }) => {
      const args = ['-e', PROGRAM, '--', name]
      execFile(process.execPath, args, { signal, killSignal: 'SIGKILL' }, (error, text) => {
        const { code, found = [] } = error === null ? JSON.parse(text) : { code: 'EAI_AGAIN' }
        const [first] = found
        if (first === undefined) tell(Object.assign(new Error('not found'), { code }), '')
        else if (options.all) tell(null, found)
        else tell(null, first.address, first.family)
      })
    })
  }
}
