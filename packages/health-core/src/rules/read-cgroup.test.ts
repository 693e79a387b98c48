import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupsOf, usageOf } from './read-cgroup.ts'

describe('the groups of a process', () => {
  const ROWS: readonly (readonly [what: string, text: string, folders: readonly string[]])[] = [
    ['v2 in a container', '0::/\n', ['']],
    ['v2 on a host', '0::/system.slice/app.service\n', ['system.slice/app.service', 'system.slice', '']],
    ['v2 above the root of its name space', '0::/../../a\n', ['a', '']],
    [
      'v1 among others',
      '12:cpu,cpuacct:/x\n4:memory:/docker/7f\n1:name=systemd:/y\n',
      ['memory/docker/7f', 'memory/docker', 'memory'],
    ],
    ['v1 mounted with another controller', '4:cpu,memory:/a\n', ['memory/a', 'memory']],
    ['both, as on a hybrid', '4:memory:/a\n0::/\n', ['memory/a', 'memory', '']],
    ['a name with a colon', '0::/a:b\n', ['a:b', '']],
    ['no memory controller', '3:cpuset:/\n', []],
    ['no file', '', []],
    ['nonsense', 'memory\n::\n0:\n', []],
  ]

  it('have 10 rows', () => expect(ROWS).toHaveLength(10))
  it.each(ROWS)('%s', (_what, text, folders) => {
    expect(groupsOf(text).map(({ folder }) => folder)).toEqual(folders)
  })

  it('stay below the mount, whatever the file says', () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        for (const { folder } of groupsOf(`0::/${path}`)) expect(folder.split('/')).not.toContain('..')
      }),
    )
  })
})

describe('the use of a group', () => {
  const ROWS: readonly (readonly [
    what: string,
    limit: string,
    usage: string,
    stat: string,
    used: unknown,
  ])[] = [
    ['no limit', 'max\n', '5\n', '', undefined],
    ['no limit, as v1 says it', '9223372036854771712\n', '5\n', '', undefined],
    ['none of a page of 64 KiB', '9223372036854710272\n', '5\n', '', undefined],
    ['a limit', '1000\n', '400\n', 'anon 1\ninactive_file 100\nactive_file 7\n', { used: 293, limit: 1_000 }],
    ['no such word in it', '1000\n', '400\n', 'total_inactive_file 100\n', { used: 400, limit: 1_000 }],
    ['no such file', '1000\n', '400\n', '', { used: 400, limit: 1_000 }],
    [
      'more cache than use, read a moment later',
      '1000\n',
      '400\n',
      'inactive_file 500\n',
      { used: 0, limit: 1_000 },
    ],
    ['a limit of nothing', '0\n', '5\n', '', undefined],
    ['nonsense', 'x\n', 'y\n', '', undefined],
    ['no use', '1000\n', '\n', '', { used: 0, limit: 1_000 }],
  ]

  it('has 10 rows', () => expect(ROWS).toHaveLength(10))
  it.each(ROWS)('%s', (_what, limit, usage, stat, used) => {
    expect(usageOf({ limit, usage, stat }, { cache: ['inactive_file', 'active_file'] })).toEqual(used)
  })
})
