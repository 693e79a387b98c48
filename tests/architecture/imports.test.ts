import { isBuiltin } from 'node:module'
import ts from 'typescript-6'
import { describe, expect, it } from 'vitest'
import {
  type Import,
  importsOf,
  packagesIn,
  parse,
  readManifest,
  readSources,
  resolveImport,
  type Source,
  walk,
} from './sources.ts'

const CORE = readSources('packages/health-core/src')

/** The folder of a file; what lies beside the folders is the builder and the public entries. */
const layerOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : 'root')

type Allowed = 'anything' | 'types' | readonly string[]

/** What each layer may import of the others: anything, types alone, or types and the values named. */
const ARROWS: Readonly<Record<string, Readonly<Record<string, Allowed>>>> = {
  vocabulary: {},
  machinery: {},
  rules: { vocabulary: 'anything' },
  options: {
    vocabulary: 'anything',
    // one pure rule each: settings mask what they got, and say a fail direction in the rule's own type
    rules: 'anything',
    // `clock` is an option whose default is the machine's own; all else of machinery is the engine's
    machinery: ['systemClock'],
  },
  engine: { vocabulary: 'anything', machinery: 'anything', rules: 'anything', options: 'types' },
  checks: {
    vocabulary: 'anything',
    machinery: 'anything',
    rules: 'anything',
    // a built-in check is given options of its own, which are checked like every other option
    options: [
      ...['createProblems', 'isPlain', 'readNumber', 'refuseUnknown', 'CHECK_NAME', 'CHECK_NAME_ALLOWED'],
      ...['POLICY', 'DISK', 'EVENT_LOOP', 'MEMORY', 'MEMORY_FALL', 'LOOP_SAMPLE_MS', 'LOOP_WINDOW_MS'],
      ...['HTTP_BODY_BYTES', 'nearest'],
    ],
  },
  // an optional peer is loaded in one way, and a client of Redis asked and understood in one way, wherever it is used
  stores: {
    vocabulary: 'anything',
    machinery: 'anything',
    rules: 'anything',
    checks: ['askOnce', 'loadDriver', 'replyCode'],
  },
  // what is sent of one's own accord goes out as the HTTP check's questions do
  webhook: {
    vocabulary: 'anything',
    machinery: 'anything',
    rules: 'anything',
    checks: ['exchange', 'oneSocket', 'readTarget'],
    options: ['createProblems'],
  },
  node: {
    vocabulary: 'anything',
    rules: 'anything',
    engine: 'types',
    // what is given to a mounting is checked like every other option
    options: ['createProblems', 'hasFunctions', 'isPlain', 'readObserve', 'readPrefix', 'refuseUnknown'],
  },
  root: {
    vocabulary: 'anything',
    machinery: 'anything',
    rules: 'anything',
    options: 'anything',
    engine: 'anything',
    checks: 'anything',
    stores: 'anything',
    webhook: 'anything',
    node: 'anything',
  },
}

/** The files whose arrows are against the table, each with the import. */
function wrongArrows(sources: readonly Source[]): readonly string[] {
  return sources.flatMap((source) => {
    const from = layerOf(source.path)
    return importsOf(source)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(({ specifier, isType, values }) => {
        const to = layerOf(resolveImport(source.path, specifier))
        if (to === from) return false
        const allowed = ARROWS[from]?.[to]
        if (allowed === undefined) return true
        if (allowed === 'anything' || isType) return false
        return allowed === 'types' || values.some((name) => !allowed.includes(name))
      })
      .map(({ specifier }) => `${source.path} -> ${specifier}`)
  })
}

/** A way through imports that comes back to where it began, or undefined. */
function cycleIn(sources: readonly Source[]): string | undefined {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => resolveImport(source.path, specifier)),
    ]),
  )
  const done = new Set<string>()
  const search = (path: string, way: readonly string[]): string | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path].join(' -> ')
    if (done.has(path)) return undefined
    for (const next of edges.get(path) ?? []) {
      const cycle = search(next, [...way, path])
      if (cycle !== undefined) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const path of edges.keys()) {
    const cycle = search(path, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

/** Global names that a file uses; `Date.now` for a member, `new Date()` where it reads the time. */
function globalsOf({ tree }: Source): ReadonlySet<string> {
  const used = new Set<string>()
  walk(tree, (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
      used.add('new Date()')
    }
    if (!ts.isIdentifier(node)) return
    const { parent } = node
    // a name after a dot, a key or a parameter is no global
    if (ts.isPropertyAccessExpression(parent)) {
      if (parent.expression === node) {
        used.add(node.text)
        used.add(`${node.text}.${parent.name.text}`)
      }
      return
    }
    if (ts.isPropertyAssignment(parent) && parent.name === node) return
    if (ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) return
    used.add(node.text)
  })
  return used
}

const usersOf = (names: readonly string[], sources: readonly Source[]): readonly string[] =>
  sources.filter((source) => names.some((name) => globalsOf(source).has(name))).map(({ path }) => path)

/** State that a module would share between two instances: a `let`, or something made to be filled. */
function sharedStateOf({ path, tree }: Source): readonly string[] {
  return tree.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const isConst = (declarationList.flags & ts.NodeFlags.Const) !== 0
    return declarationList.declarations
      .filter(({ type, initializer }) => {
        const isFilled =
          initializer !== undefined &&
          ts.isNewExpression(initializer) &&
          /^(?:Weak)?(?:Map|Set)$|^Array$/.test(initializer.expression.getText())
        return !isConst || (isFilled && !/^Readonly/.test(type?.getText() ?? ''))
      })
      .map(({ name }) => `${path}: ${name.getText()}`)
  })
}

const bare = (source: Source): readonly Import[] =>
  importsOf(source).filter(({ specifier }) => !specifier.startsWith('.'))

describe('the core’s layers', () => {
  it('are those of the table', () => {
    expect(new Set(CORE.map(({ path }) => layerOf(path)))).toEqual(new Set(Object.keys(ARROWS)))
  })

  it('import one way', () => expect(wrongArrows(CORE)).toEqual([]))

  it('have no cycle, of types neither', () => expect(cycleIn(CORE)).toBeUndefined())

  it('import nothing from outside but Node’s own modules, and those only where the outside is touched', () => {
    const wrong = CORE.flatMap((source) =>
      bare(source)
        .filter(({ specifier }) => {
          const layer = layerOf(source.path)
          // the channel on which moves are announced and the async context are Node's own, and no I/O; the default logger writes
          const isAllowed =
            ['checks', 'stores', 'webhook', 'node'].includes(layer) ||
            ['engine/announce.ts', 'machinery/own-context.ts', 'options/stderr-logger.ts'].includes(
              source.path,
            )
          return !isAllowed || !specifier.startsWith('node:') || !isBuiltin(specifier)
        })
        .map(({ specifier }) => `${source.path} -> ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  it('read `process` in the settings alone', () => {
    expect(usersOf(['process', 'globalThis'], CORE)).toEqual(['options/settings.ts'])
  })

  it('never write to the console: a write that fails there can end the process', () => {
    expect(usersOf(['console'], CORE)).toEqual([])
  })

  it('take time and timers from a clock', () => {
    const timers = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']
    const time = ['Date.now', 'new Date()', 'performance']
    const users = usersOf([...timers, ...time], CORE).filter((path) => layerOf(path) !== 'machinery')
    expect(users).toEqual([])
  })

  it('keep no state in a module', () => expect(CORE.flatMap(sharedStateOf)).toEqual([]))
})

describe('these tests can fail', () => {
  it.each([
    ['rules/a.ts', "import { x } from '../engine/b.ts'"],
    ['rules/a.ts', "import type { X } from '../machinery/b.ts'"],
    ['vocabulary/a.ts', "export { x } from '../rules/b.ts'"],
    ['engine/a.ts', "import { x } from '../options/b.ts'"],
    ['engine/a.ts', "import { type X, y } from '../options/b.ts'"],
    ['engine/a.ts', "import '../options/b.ts'"],
    ['engine/a.ts', "const x = await import('../options/b.ts')"],
    ['engine/a.ts', "import type { X } from '../create-health.ts'"],
    ['engine/a.ts', "import { x } from '../stores/b.ts'"],
    ['stores/a.ts', "import { postgresCheck } from '../checks/b.ts'"],
    ['options/a.ts', "import { x } from '../stores/b.ts'"],
    ['options/a.ts', "import { manualClock } from '../machinery/b.ts'"],
    ['options/a.ts', "import * as clock from '../machinery/b.ts'"],
    ['checks/postgres/a.ts', "import { readSettings } from '../../options/b.ts'"],
    ['checks/a.ts', "let x: import('../engine/b.ts').X"],
    ['machinery/a.ts', "export * from '../vocabulary/b.ts'"],
    ['elsewhere/a.ts', "import type { X } from '../vocabulary/b.ts'"],
  ])('%s may not: %s', (path, text) => {
    expect(wrongArrows([parse(path, text)])).toHaveLength(1)
  })

  it.each([
    ['engine/a.ts', "import type { X } from '../options/b.ts'"],
    ['engine/a.ts', "import { type X, type Y } from '../options/b.ts'"],
    ['options/a.ts', "import { type Clock, systemClock } from '../machinery/b.ts'"],
    ['checks/postgres/a.ts', "import { x } from '../load.ts'"],
    ['stores/a.ts', "import { loadDriver } from '../checks/load-driver.ts'"],
    ['create-health.ts', "import { x } from './engine/b.ts'"],
  ])('%s may: %s', (path, text) => expect(wrongArrows([parse(path, text)])).toEqual([]))

  it('a cycle is found, also one of types', () => {
    const sources = [
      parse('rules/a.ts', "import { b } from './b.ts'"),
      parse('rules/b.ts', "import type { C } from '../vocabulary/c.ts'"),
      parse('vocabulary/c.ts', "export type { A } from '../rules/a.ts'"),
    ]
    expect(cycleIn(sources)).toBe('rules/a.ts -> rules/b.ts -> vocabulary/c.ts -> rules/a.ts')
    expect(cycleIn(sources.slice(0, 2))).toBeUndefined()
  })

  it.each([
    ['process', 'const x = process.env.A'],
    ['process', 'const f = () => ({ process })'],
    ['console', 'console.log(1)'],
    ['setTimeout', 'setTimeout(() => undefined, 1)'],
    ['Date.now', 'const f = () => Date.now()'],
    ['new Date()', 'const f = () => new Date()'],
    ['performance', 'const f = performance.now.bind(performance)'],
  ])('the global %s is found in: %s', (name, text) => {
    expect(usersOf([name], [parse('a.ts', text)])).toEqual(['a.ts'])
  })

  it.each([
    ['process', 'const x = child.process'],
    ['process', 'const x = { process: 1 }'],
    ['new Date()', 'const f = (ms: number) => new Date(ms)'],
    ['setTimeout', '// setTimeout is not used here'],
  ])('the global %s is not found in: %s', (name, text) => {
    expect(usersOf([name], [parse('a.ts', text)])).toEqual([])
  })

  it('state in a module is found', () => {
    const text = `let a = 1
      export var b = 2
      const seen = new Map<string, number>()
      export const table: ReadonlyMap<string, number> = new Map()
      const c = 3
      function f() { let d = 4; return d }`
    expect(sharedStateOf(parse('x.ts', text))).toEqual(['x.ts: a', 'x.ts: b', 'x.ts: seen'])
  })
})

/** What each folder of the admin server may import of the others; what lies beside them puts them together. */
const ADMIN_ARROWS: Readonly<Record<string, readonly string[]>> = {
  rules: [],
  settings: ['rules'],
  server: ['rules'],
  live: ['server'],
  metrics: [],
  page: ['rules'],
  healthcheck: [],
}

describe('the admin’s folders', () => {
  const sources = readSources('packages/health-admin/src').filter(({ path }) => !path.includes('testing/'))

  it('are those of the table', () => {
    const folders = new Set(sources.map(({ path }) => layerOf(path)))
    expect(folders).toEqual(new Set([...Object.keys(ADMIN_ARROWS), 'root']))
  })

  it('import one way', () => {
    const wrong = sources.flatMap(({ path, tree }) =>
      importsOf({ path, tree })
        .filter(({ specifier }) => specifier.startsWith('.') && !specifier.includes('?'))
        .map(({ specifier }) => resolveImport(path, specifier))
        .filter((to) => {
          const [from, at] = [layerOf(path), layerOf(to)]
          // the types of what is given are everybody's
          if (from === 'root' || from === at || to === 'options.ts') return false
          // the words of what is sent are those of the program in the browser, and of metrics
          if ((from === 'page' || from === 'metrics') && to === 'live/state.ts') return false
          return !ADMIN_ARROWS[from]?.includes(at)
        })
        .map((to) => `${path} -> ${to}`),
    )
    expect(wrong).toEqual([])
  })

  it('read `process` where the server is put together, and in the program that is one', () => {
    const users = usersOf(['process'], sources).filter((path) => !path.startsWith('healthcheck/'))
    expect(users).toEqual(['metrics/read-options.ts', 'settings/read-settings.ts', 'start-admin.ts'])
  })
})

const RUNNER_SHARED = ['vocabulary', 'rules', 'settings', 'control']

/** What each folder of the runner may import of the others: those who do the work know one another by the vocabulary alone. */
const RUNNER_ARROWS: Readonly<Record<string, readonly string[]>> = {
  vocabulary: [],
  rules: ['vocabulary'],
  settings: ['vocabulary', 'rules'],
  control: ['vocabulary'],
  child: RUNNER_SHARED,
  processes: RUNNER_SHARED,
  gateway: RUNNER_SHARED,
  queue: RUNNER_SHARED,
  command: RUNNER_SHARED,
}

describe('the runner’s folders', () => {
  const sources = readSources('packages/health-runner/src').filter(({ path }) => !path.includes('testing/'))

  it('are those of the table', () => {
    const folders = new Set(sources.map(({ path }) => layerOf(path)))
    expect(folders).toEqual(new Set([...Object.keys(RUNNER_ARROWS), 'root']))
  })

  it('import one way', () => {
    const wrong = sources.flatMap(({ path, tree }) =>
      importsOf({ path, tree })
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => resolveImport(path, specifier))
        .filter((to) => {
          const [from, at] = [layerOf(path), layerOf(to)]
          // the types of what is given are everybody's
          if (from === 'root' || from === at || to === 'options.ts') return false
          // the command is a user of the package like any other
          if (from === 'command' && ['start-runners.ts', 'runners.ts'].includes(to)) return false
          return !RUNNER_ARROWS[from]?.includes(at)
        })
        .map((to) => `${path} -> ${to}`),
    )
    expect(wrong).toEqual([])
  })

  it('decide, pass on and keep without reading `process`', () => {
    const pure = ['vocabulary', 'rules', 'control', 'gateway', 'queue']
    const users = usersOf(['process'], sources).filter((path) => pure.includes(layerOf(path)))
    expect(users).toEqual([])
  })
})

describe('across packages', () => {
  const folders = [...packagesIn('packages'), ...packagesIn('apps')]
  const manifests = folders.map(readManifest)
  /** Every name by which something may be imported. */
  const publicNames = new Set(
    manifests.flatMap(({ name, exports = {} }) => Object.keys(exports).map((key) => name + key.slice(1))),
  )
  const isOurs = (specifier: string): boolean =>
    manifests.some(({ name }) => specifier === name || specifier.startsWith(`${name}/`))

  it.each(folders.map((folder) => [folder]))('%s takes from others what they show, by its name', (folder) => {
    const wrong = readSources(`${folder}/src`).flatMap((source) =>
      importsOf(source)
        .map(({ specifier }) => specifier)
        .filter((specifier) => {
          if (!specifier.startsWith('.')) {
            return (specifier.startsWith('@baldur/') || isOurs(specifier)) && !publicNames.has(specifier)
          }
          // one step above `src` leaves the package's sources
          const depth = source.path.split('/').length - 1
          return specifier.split('/').filter((part) => part === '..').length > depth
        })
        .map((specifier) => `${source.path} -> ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  it.each(folders.map((folder) => [folder]))('%s has no cycle, of types neither', (folder) => {
    expect(cycleIn(readSources(`${folder}/src`))).toBeUndefined()
  })

  it('the core imports no other package of ours, an adapter only the core and drain', () => {
    const mayImport: Readonly<Record<string, RegExp>> = {
      '@baldur/health-core': /^$/,
      '@baldur/health-drain': /^@baldur\/health-core/,
      '@baldur/health-fastify': /^@baldur\/health-(?:core|drain)/,
      '@baldur/health-express': /^@baldur\/health-(?:core|drain)/,
      '@baldur/health-koa': /^@baldur\/health-(?:core|drain)/,
      '@baldur/health-admin': /^@baldur\/health-(?:core|drain)/,
      '@baldur/health-runner': /^@baldur\/health-(?:core|drain)/,
    }
    for (const folder of packagesIn('packages')) {
      const { name, publishConfig } = readManifest(folder)
      if (publishConfig === undefined) continue
      expect(mayImport).toHaveProperty([name])
      const foreign = readSources(`${folder}/src`)
        .flatMap(bare)
        .map(({ specifier }) => specifier)
        .filter((specifier) => isOurs(specifier) && !mayImport[name]?.test(specifier))
      expect([name, ...foreign]).toEqual([name])
    }
  })
})

describe('apps', () => {
  const demo = (framework: string): RegExp =>
    new RegExp(`^(?:demo-orders|@baldur/health-(?:core|drain|admin|${framework})(?:/.+)?)$`)
  /** Beside Node's own modules. */
  const MAY_IMPORT: Readonly<Record<string, readonly RegExp[]>> = {
    // with the embedded database of the demos
    'apps/demo-orders': [/^@baldur\/health-(?:core|drain)$/, /^pg$/, /^health-testkit\/postgres$/],
    'apps/express-demo': [demo('express'), /^express$/],
    'apps/fastify-demo': [demo('fastify'), /^(?:fastify$|@fastify\/)/],
    'apps/koa-demo': [demo('koa'), /^(?:koa$|@koa\/)/],
    'apps/runner-demo': [demo('runner')],
  }

  it.each(packagesIn('apps').map((app) => [app]))('%s imports what a user of the library would', (app) => {
    expect(MAY_IMPORT).toHaveProperty([app])
    const wrong = readSources(`${app}/src`)
      .flatMap(bare)
      .map(({ specifier }) => specifier)
      .filter((specifier) => !specifier.startsWith('node:'))
      .filter((specifier) => !MAY_IMPORT[app]?.some((allowed) => allowed.test(specifier)))
    expect(wrong).toEqual([])
  })
})
