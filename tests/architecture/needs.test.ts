import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './sources.ts'

/** What starts a program of the system, and the tag of the tests that call it. */
const STARTERS: Readonly<Record<string, string>> = {
  startHaproxy: 'haproxy',
  startNginx: 'nginx',
  startRedis: 'redis-server',
  startMariadb: 'mariadbd',
  startPrometheus: 'prometheus',
  promtool: 'promtool',
  startBrowser: 'chromium',
}
const FOLDERS = ['tests', ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`)]
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)
const TESTS = FILES.filter((file) => file.endsWith('.test.ts') && !file.endsWith('needs.test.ts'))

interface Needs {
  /** Tags of the programs that it starts. */
  readonly needed: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

/** In two parts, since vitest takes a tag wherever it stands in a file. */
const TAG = '@module' + '-tag'
const MODULE_TAG = new RegExp(`^// ${TAG} ([\\w-]+)$`, 'gm')

/** What a test needs and which tags it has, by itself and by the helpers that it imports. */
function needsOf(file: string, read: (file: string) => string | undefined): Needs {
  const needed = new Set<string>()
  const tags = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const text = read(path)
    if (text === undefined) return
    for (const [, tag = ''] of text.matchAll(MODULE_TAG)) tags.add(tag)
    for (const [, list = ''] of text.matchAll(/tags: \[([^\]]*)\]/g))
      for (const [, tag = ''] of list.matchAll(/'([\w-]+)'/g)) tags.add(tag)
    for (const [, name = ''] of text.matchAll(/programFile\('([\w-]+)'\)/g)) needed.add(name)
    for (const [, names = '', from = ''] of text.matchAll(
      /^import [^'{]*(?:\{([^}]*)\} from )?'([^']+)'/gm,
    )) {
      for (const name of names.match(/\w+/g) ?? [])
        if (STARTERS[name] !== undefined) needed.add(STARTERS[name])
      if (from.startsWith('.')) visit(join(dirname(path), from))
    }
  }
  visit(file)
  return { needed, tags }
}

/** Helpers of tests are looked into, the testkit's own parts are not: they define the starters. */
const fromDisk = (file: string): string | undefined => {
  const isTest = file.endsWith('.test.ts') || file.startsWith('tests/')
  return isTest && existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : undefined
}

it('npm test needs no server of the system: only files named *.system.test.ts start one', () => {
  const wrong = TESTS.filter((file) => !file.endsWith('.system.test.ts'))
    .map((file) => `${file}: ${[...needsOf(file, fromDisk).needed].join(', ')}`)
    .filter((line) => !line.endsWith(': '))
  expect(wrong).toEqual([])
})

it('npm test skips nothing: no file of it holds a tag', () => {
  const tagged = TESTS.filter((file) => !file.endsWith('.system.test.ts'))
  expect(tagged.filter((file) => fromDisk(file)?.includes(TAG))).toEqual([])
})

it('a test that starts a server of the system has its tag, so that it is skipped where the server is missing', () => {
  const wrong = TESTS.flatMap((file) => {
    const { needed, tags } = needsOf(file, fromDisk)
    return [...needed].filter((name) => !tags.has(name)).map((name) => `${file} lacks the tag ${name}`)
  })
  expect(wrong).toEqual([])
})

it('a missing tag is found, also behind a helper', () => {
  const files: Readonly<Record<string, string>> = {
    'tests/a.test.ts': `// ${TAG} nginx\nimport { roll } from './roll.ts'\nstart(programFile('nginx'))`,
    'tests/roll.ts': "import { startHaproxy } from 'health-testkit'",
  }
  const { needed, tags } = needsOf('tests/a.test.ts', (file) => files[file])
  expect([[...needed], [...tags]]).toEqual([['nginx', 'haproxy'], ['nginx']])
})

it('no helper registers a hook as it is loaded: files share a process, so it would run for the first of them alone', () => {
  const helpers = FILES.filter((file) => !/\.test(?:-d)?\.ts$/.test(file))
  expect(helpers.length).toBeGreaterThan(300)
  const hook = /^(?:before|after)(?:Each|All)\(/m
  expect(helpers.filter((file) => hook.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})
