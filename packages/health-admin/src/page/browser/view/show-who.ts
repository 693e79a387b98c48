import type { HelloState, InstanceState } from '../../../live/state.ts'
import { span } from '../rules/words.ts'
import { byId, part, setText } from './elements.ts'
import { rows } from './rows.ts'
import { localTime, utcTime } from './show-time.ts'

interface Line {
  readonly name: string
  readonly value: string
  readonly title?: string
}

/** What a role may do, in words. */
const ROLES: Readonly<Record<HelloState['role'], string>> = {
  none: 'none set: all is read, nothing switched',
  viewer: 'viewer: reads',
  operator: 'operator: reads and switches',
}

/** A clock that is off by more is worth a word. */
const SKEW_MS = 5_000

/** Shows who answers; `now` is of the server's clock, `skewMs` how far that is behind the browser's. */
export function whoView(): (
  instance: InstanceState,
  role: HelloState['role'] | undefined,
  now: number,
  skewMs: number,
) => void {
  const show = rows<Line>(
    byId('who'),
    'who-row',
    ({ name }) => name,
    (row, { name, value, title }) => {
      setText(part(row, 'dt'), name)
      setText(part(row, 'dd'), value)
      part(row, 'dd').title = title ?? ''
    },
  )
  return ({ host, pid, version, namespace, node, started_at }, role, now, skewMs) => {
    const started = Date.parse(started_at)
    const lines: readonly (Line | undefined)[] = [
      { name: 'Namespace', value: namespace ?? 'none' },
      version === undefined ? undefined : { name: 'Version', value: version },
      { name: 'Host', value: host },
      { name: 'Process', value: `${pid}, Node ${node.replace(/^v/, '')}` },
      { name: 'Started', value: `${localTime(started)}, up ${span(now - started)}`, title: utcTime(started) },
      role === undefined ? undefined : { name: 'Key', value: ROLES[role] },
      Math.abs(skewMs) < SKEW_MS
        ? undefined
        : {
            name: 'Its clock',
            value: `${span(Math.abs(skewMs))} ${skewMs > 0 ? 'behind' : 'ahead of'} this device's`,
          },
    ]
    show(lines.filter((line) => line !== undefined))
  }
}
