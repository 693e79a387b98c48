import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** What a child process wrote, line by line. */
export interface OutputLines {
  /** Of both streams, in the order of arrival. */
  readonly lines: readonly string[]
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  /** Resolves with the match of the first line that matches; rejects after the timeout, or once no more lines can come. */
  waitFor(pattern: RegExp, timeoutMs: number): Promise<RegExpMatchArray>
  /** No more lines will come. */
  end(): void
}

/** Collects the lines of both streams from now on. */
export function outputLines({ stdout: out, stderr: err }: ChildProcess): OutputLines {
  const lines: string[] = []
  const stdout: string[] = []
  const stderr: string[] = []
  const watchers = new Set<() => void>()
  let ended = false

  const tell = () => {
    for (const watcher of watchers) watcher()
  }
  const collect = (stream: ChildProcess['stdout'], own: string[]) => {
    if (stream === null) return
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      lines.push(line)
      own.push(line)
      tell()
    })
  }
  collect(out, stdout)
  collect(err, stderr)

  const waitFor = (pattern: RegExp, timeoutMs: number) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer)
        watchers.delete(look)
        act()
      }
      const fail = (why: string) =>
        settle(() =>
          reject(new Error(`${why} before a line matched ${pattern}; its output:\n${lines.join('\n')}`)),
        )
      const look = () => {
        const match = firstMatch(lines, pattern)
        if (match) settle(() => resolve(match))
        else if (ended) fail('the program ended')
      }
      const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs)
      watchers.add(look)
      look()
    })

  return {
    lines,
    stdout,
    stderr,
    waitFor,
    end() {
      ended = true
      tell()
    },
  }
}

function firstMatch(lines: readonly string[], pattern: RegExp): RegExpMatchArray | undefined {
  for (const line of lines) {
    const match = line.match(pattern)
    if (match !== null) return match
  }
  return undefined
}
