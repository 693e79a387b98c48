import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HEALTH_CHECK, QUEUE, RUNNERS, WAITING_LINE } from '../settings/defaults.ts'
import { allowedBy, FLAGS, type Flag } from './flags.ts'
import { HELP } from './help.ts'
import { parseFlags } from './parse-flags.ts'

const optionsOf = (line: string): unknown => {
  const command = parseFlags(line.split(' '))
  if (command.kind !== 'start') throw new Error(JSON.stringify(command))
  return command.options
}
const linesOf = (...argv: readonly string[]): readonly string[] => {
  const command = parseFlags(argv)
  return command.kind === 'refused' ? command.lines : [command.kind]
}

/** A value that is allowed, and what the option becomes. */
function sampleOf(flag: Flag): readonly [written: string, value: unknown] {
  switch (flag.kind) {
    case 'number':
      return flag.bounds.unit === 'milliseconds'
        ? [String(flag.bounds.max / 1_000), flag.bounds.max]
        : [String(flag.bounds.max), flag.bounds.max]
    case 'drain':
      // the whole has to be longer than its parts
      if (flag.name === 'drain-grace-period') return ['60.5', 60_500]
      return flag.unit === 'seconds' ? ['0.1', 100] : ['2', 2]
    case 'text':
      return flag.name === 'host' ? ['db', 'db'] : ['/x', '/x']
    case 'port':
      return ['0', 0]
    case 'choice':
      return Object.entries(flag.words)[0] ?? ['', '']
    case 'list':
      return ['Cookie,authorization', ['cookie', 'authorization']]
  }
}

const at = (options: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((tree, key) => (tree as Record<string, unknown>)?.[key], options)

describe('the command line', () => {
  it.each([
    ['start app.js', { command: ['app.js'] }],
    ['start -- python3 serve.py --port 1', { command: ['python3', 'serve.py', '--port', '1'] }],
    ['start --runners 2 -- ./serve', { runners: 2, command: ['./serve'] }],
    ['start app.js --runners=2', { runners: 2, command: ['app.js'] }],
    ['start --request-timeout 0.5 app.mjs', { requestTimeoutMs: 500, command: ['app.mjs'] }],
    ['start app.js -- --mode x', { command: [process.execPath, 'app.js', '--mode', 'x'] }],
    ['start -- app.js --mode x', { command: [process.execPath, 'app.js', '--mode', 'x'] }],
    ['start -- npm start', { command: ['npm', 'start'] }],
    ['start app.js --replace stop-first', { replace: 'stop_first', command: ['app.js'] }],
    [
      'start app.js --health-path /health --health-interval 5',
      { healthCheck: { path: '/health', intervalMs: 5_000 }, command: ['app.js'] },
    ],
    [
      'start app.js --queue-keep-headers authorization,Proxy-Authorization --queue-attempts 3 --max-waiting 0',
      {
        queue: { keepHeaders: ['authorization', 'proxy-authorization'], attempts: 3 },
        waitingLine: { max: 0 },
        command: ['app.js'],
      },
    ],
    [
      'start app.js --drain-preset load-balancer --drain-hook-timeout 7',
      { drain: { preset: 'loadBalancer', hookTimeoutMs: 7_000 }, command: ['app.js'] },
    ],
  ])('%s', (line, options) => expect(optionsOf(line)).toEqual(options))

  it.each([['--help'], ['-h'], ['start', '--help', '--port', 'x'], ['help']])('%s asks for help', (...argv) =>
    expect(parseFlags(argv)).toEqual({ kind: 'help' }),
  )

  it.each([['--version'], ['-v']])('%s asks for the version', (...argv) =>
    expect(parseFlags(argv)).toEqual({ kind: 'version' }),
  )

  it('leaves what stands behind -- to the program', () => {
    const { kind, options } = parseFlags(['start', '--', 'node', '--help', '--', '-v']) as never
    expect([kind, options]).toEqual(['start', { command: ['node', '--help', '--', '-v'] }])
  })

  it('wants all lines with --verbose', () =>
    expect(parseFlags(['start', '--verbose', 'a.js'])).toMatchObject({ kind: 'start', isVerbose: true }))
})

describe('every flag', () => {
  it('stands in the table once, and sets an option of its own', () => {
    expect(new Set(FLAGS.map(({ name }) => name)).size).toBe(FLAGS.length)
    expect(new Set(FLAGS.map(({ option }) => option)).size).toBe(FLAGS.length)
  })

  it('is there for every number of the settings', () => {
    const under = (prefix: string, table: object): readonly string[] =>
      Object.keys(table).map((key) => `${prefix}${key}`)
    const numbers = [
      ...under('', RUNNERS),
      ...under('healthCheck.', HEALTH_CHECK),
      ...under('waitingLine.', WAITING_LINE),
      ...under('queue.', QUEUE),
    ]
    const flags = FLAGS.flatMap((flag) => (flag.kind === 'number' ? [flag.option] : []))
    expect(flags.sort()).toEqual(numbers.sort())
  })

  it.each(FLAGS.map((flag) => [flag.name, flag] as const))('--%s sets its option', (name, flag) => {
    const [written, value] = sampleOf(flag)
    const beside = name.startsWith('health-') && name !== 'health-path' ? ['--health-path', '/x'] : []
    // a drain's parts have to fit together, which one flag alone cannot
    const command = parseFlags(['start', 'app.js', `--${name}`, written, ...beside])
    const options = command.kind === 'start' ? command.options : undefined
    expect([name, at(options, flag.option)]).toEqual([name, value])
  })

  it.each(FLAGS.map((flag) => [flag.name, flag] as const))('--%s says what it allows', (name, flag) => {
    if (flag.name === 'cwd') return expect(linesOf('start', 'a.js', '--cwd', '')).toHaveLength(1)
    const [line, ...more] = linesOf('start', 'a.js', `--${name}`, 'no value', '--health-path', '/x').filter(
      (one) => !one.includes('given twice'),
    )
    expect(line).toBe(`--${name}: expected ${allowedBy(flag)}, got "no value"`)
    expect(more).toEqual([])
  })

  it('stands in --help with its default and its bounds', () => {
    for (const { name } of FLAGS) expect(HELP).toMatch(new RegExp(`^ {2}--${name} `, 'm'))
    expect(HELP).toMatch(/--request-timeout SECONDS +how long .* \[60; 0\.01 to 86400\]/)
    expect(HELP).toMatch(/--queue-max-body BYTES +of one request \[10485760; 0 to 1073741824\]/)
    expect(HELP).toMatch(/--replace WORD +.* \[start-first; start-first or stop-first\]/)
    expect(HELP).toMatch(/--port PORT +.* \[8080\]/)
  })
})

describe('what is wrong', () => {
  it.each([
    [[], 'expected a program: start app.js, or start -- program arguments'],
    [['start'], 'expected a program: start app.js, or start -- program arguments'],
    [['start', '--'], 'expected a program: start app.js, or start -- program arguments'],
    [['strat', 'app.js'], 'strat: no command (did you mean start?); --help shows how'],
    [['app.js'], 'app.js: no command; --help shows how'],
    [['--port', '1', 'start'], 'expected the word start first; --help shows how'],
    [['start', 'a.js', '--prot', '80'], '--prot: an unknown flag (did you mean --port?); --help lists them'],
    [['start', 'a.js', '--key=hunter2'], '--key: an unknown flag; --help lists them'],
    [['start', 'a.js', '-p', '80'], '-p: an unknown flag; --help lists them'],
    [['start', 'a.js', '--port'], '--port: expected a port from 0 to 65535 (0 picks one), got nothing'],
    [['start', 'a.js', '--port='], '--port: expected a port from 0 to 65535 (0 picks one), got ""'],
    [['start', 'a.js', '--runners', '-1'], '--runners: expected 0 to 1000, whole, got "-1"'],
    [['start', 'a.js', '--runners', '1001'], '--runners: expected 0 to 1000, whole, got "1001"'],
    [
      ['start', 'a.js', '--request-timeout=0.009'],
      '--request-timeout: expected 0.01 to 86400 seconds, got "0.009"',
    ],
    [['start', 'a.js', '--runners', '1.5'], '--runners: expected 0 to 1000, whole, got "1.5"'],
    [['start', 'a.js', '--kill-after', '5s'], '--kill-after: expected 0 to 300 seconds, got "5s"'],
    [['start', 'a.js', '--runners', '1', '--runners', '2'], '--runners: given twice'],
    [['start', 'a.js', 'b.js'], 'b.js: expected one program; its arguments go behind --'],
    [['start', 'a.js', '--health-grace', '1'], '--health-grace: expected --health-path beside it'],
    [
      ['start', 'a.js', '--verbose=yes'],
      '--verbose: an unknown flag (did you mean --verbose?); --help lists them',
    ],
  ])('%j', (argv, line) => expect(linesOf(...argv)).toEqual([line]))

  it('comes all at once', () => {
    const argv = 'start --runners x --port 70000 --health-timeout 1 --drain-settle y --replace maybe'.split(
      ' ',
    )
    expect(linesOf(...argv).map((line) => line.split(':')[0])).toEqual([
      ...['--runners', '--port', '--drain-settle', '--replace', 'expected a program', '--health-timeout'],
    ])
  })

  it('names the flags of a drain whose parts do not fit, in seconds', () => {
    const argv = 'start a.js --drain-grace-period 10 --drain-shutdown-delay 20'.split(' ')
    expect(linesOf(...argv)).toEqual([
      '--drain-grace-period: expected at least what the drain takes: --drain-pre-stop 0 + --drain-shutdown-delay 20 + --drain-hook-timeout 1 + margin 0.666 + --drain-request-timeout 0.1 = 21.766 seconds, got 10 seconds',
    ])
  })

  it('names variables that are wrong too', () => {
    const env = { BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS: 'soon' }
    expect(parseFlags(['start', 'a.js', '--port', 'x'], env)).toMatchObject({
      lines: [
        '--port: expected a port from 0 to 65535 (0 picks one), got "x"',
        'BALDUR_DRAIN_HOOK_TIMEOUT_SECONDS: expected 0 to 300 seconds, got "soon"',
      ],
    })
  })

  it('does not repeat what may be a secret', () =>
    expect(linesOf('start', 'a.js', '--host', 'http://joe:hunter2@db').join()).not.toContain('hunter2'))

  it('is said of any words, and nothing is thrown', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'start',
        '--',
        '--port',
        '--runners',
        'a.js',
        '__proto__',
        '--__proto__',
        '--constructor',
      ),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
        const command = parseFlags(argv)
        if (command.kind === 'refused') expect(command.lines.length).toBeGreaterThan(0)
      }),
    )
  })
})
