import { allowedBy, FLAG_GROUPS, type Flag, SWITCHES, shownNumber } from './flags.ts'

const META = { milliseconds: 'SECONDS', bytes: 'BYTES', '': 'N' } as const

function metaOf(flag: Flag): string {
  switch (flag.kind) {
    case 'number':
      return META[flag.bounds.unit]
    case 'drain':
      return 'SECONDS'
    case 'text':
      return flag.meta
    case 'port':
      return 'PORT'
    case 'choice':
      return 'WORD'
    case 'list':
      return 'NAMES'
  }
}

/** In brackets behind the text: the default, then what is allowed where the name does not say it. */
function boundsOf(flag: Flag): string {
  switch (flag.kind) {
    case 'number':
      return `[${shownNumber(flag.bounds.usual, flag.bounds)}; ${allowedBy(flag).replace(/(?: seconds| bytes|, whole)$/, '')}]`
    case 'drain':
      return ''
    case 'text':
    case 'port':
      return flag.usual === undefined ? '' : `[${flag.usual}]`
    case 'choice':
      return `[${flag.usual}; ${allowedBy(flag)}]`
    case 'list':
      return `[none; ${flag.words.join(', ')}]`
  }
}

const GAP = 2
const rows = FLAG_GROUPS.flatMap(({ flags }) => flags.map((flag) => `--${flag.name} ${metaOf(flag)}`))
const WIDTH = Math.max(...rows.map((row) => row.length)) + GAP
const line = (left: string, right: string): string => `  ${left.padEnd(WIDTH)}${right}`.trimEnd()

/** What `--help` prints, from the table of flags. */
export const HELP: string = `baldur-runner start [flags] app.js
baldur-runner start [flags] -- program arguments

Runs a program in several processes, each on a PORT of its own, behind a gateway and a queue. They are judged by their
answers, and replaced when ill. A name that ends in .js, .mjs or .cjs is run by this Node, .ts where it can (22.18, 23.6
and later). It is looked for in the folder of --cwd.

Durations are seconds. In brackets: what is taken where the flag is absent, and what is allowed.

${FLAG_GROUPS.map(
  ({ title, flags }) =>
    `${title}\n${flags.map((flag) => line(`--${flag.name} ${metaOf(flag)}`, `${flag.what} ${boundsOf(flag)}`)).join('\n')}\n`,
).join('\n')}
${Object.entries(SWITCHES)
  .map(([name, what]) => line(`--${name}`, what))
  .join('\n')}

A flag of the drain that is absent takes its BALDUR_DRAIN_* variable, or what the preset says.

Standard output gets one line, "listening on URL", when the gateway listens; standard error one for each change of a
runner's state, for the guard and for the drain. The programs have both for themselves otherwise.

SIGTERM and SIGINT drain: the gateway, the queue, then the runners. Exit code 0 when nothing was lost, 1 when a request
was aborted, left in the queue, or the start failed, 2 for a command line that cannot work, 128 + n on a second signal.
`
