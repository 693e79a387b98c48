import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-6'
import { expect, test } from 'vitest'
import { OBSERVE, POLICY } from '../../packages/health-core/src/options/defaults.ts'
import { makePlan } from '../../packages/health-drain/src/plan/plan.ts'
import {
  type Bounds,
  HEALTH_CHECK,
  QUEUE,
  RUNNERS,
  WAITING_LINE,
} from '../../packages/health-runner/src/settings/defaults.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Exports = Readonly<Record<string, { readonly '@baldur/source'?: string }>>

/** The source of every public entry. `/internal` is for our own packages, the testkit is not published. */
const entries = readdirSync(`${ROOT}packages`)
  .filter((name) => name !== 'health-testkit')
  .flatMap((name) => {
    const folder = `${ROOT}packages/${name}/`
    const { exports } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { exports: Exports }
    return Object.entries(exports)
      .filter(([path]) => path !== './internal')
      .flatMap(([, { '@baldur/source': source }]) => (source === undefined ? [] : [join(folder, source)]))
  })

interface Option {
  /** `DrainOptions.lingerMs` */
  readonly name: string
  readonly text: string
  /** What stands behind `@default`. */
  readonly usual: string | undefined
}

/** Every option of every exported type whose name ends in Options, with the texts that an editor shows. */
function readOptions(): readonly Option[] {
  const program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    customConditions: ['@baldur/source'],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const exported = entries.flatMap((file) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${file} exports nothing`)
    return checker.getExportsOfModule(module).filter(({ name }) => name.endsWith('Options'))
  })
  return exported.flatMap((symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const properties = checker.getDeclaredTypeOfSymbol(own).getProperties()
    return properties.map((property) => {
      const tag = property.getJsDocTags(checker).find(({ name }) => name === 'default')
      return {
        name: `${symbol.name}.${property.name}`,
        text: ts.displayPartsToString(property.getDocumentationComment(checker)),
        usual: tag && ts.displayPartsToString(tag.text),
      }
    })
  })
}
const options = readOptions()

test('an editor shows a text for every option of every public entry', () => {
  expect(entries.length).toBeGreaterThan(15)
  expect(options.length).toBeGreaterThan(150)
  expect(options.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([])
})

const usualOf = (bounds: Readonly<Record<string, Bounds>>): Record<string, number> =>
  Object.fromEntries(Object.entries(bounds).map(([key, { usual }]) => [key, usual]))
const defaultOf = (fields: Readonly<Record<string, { readonly default: number }>>): Record<string, number> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.default]))

const { preset: _preset, marginMs: _marginMs, ...durations } = makePlan('kubernetes', {}).plan
/** The tables of numbers that options have by default. */
const TABLES: readonly (readonly [type: string, numbers: Readonly<Record<string, number>>])[] = [
  ['DrainOptions', durations],
  ['RunnersOptions', usualOf(RUNNERS)],
  ['QueueOptions', usualOf(QUEUE)],
  ['WaitingLineOptions', usualOf(WAITING_LINE)],
  ['HealthCheckOptions', usualOf(HEALTH_CHECK)],
  ['PostgresCheckOptions', defaultOf(POLICY)],
  ['ObserveOptions', defaultOf(OBSERVE)],
]

test.each(TABLES)(
  'the default that an editor shows for each number of %s is the one in force',
  (type, numbers) => {
    const keys = Object.keys(numbers)
    expect(keys.length).toBeGreaterThan(1)
    const shown = keys.map((key) => {
      const found = options.find(({ name }) => name === `${type}.${key}`)
      return [key, found?.usual?.match(/(\d+)$/)?.[1]]
    })
    expect(shown).toEqual(keys.map((key) => [key, String(numbers[key])]))
  },
)
