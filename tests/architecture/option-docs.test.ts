import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-6'
import { expect, test } from 'vitest'

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

test('an editor shows a text for every option of every exported type whose name ends in Options', () => {
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
  let count = 0
  const silent = entries.flatMap((file) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${file} exports nothing`)
    return checker
      .getExportsOfModule(module)
      .filter(({ name }) => name.endsWith('Options'))
      .flatMap((exported) => {
        const type = checker.getDeclaredTypeOfSymbol(
          exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
        )
        return type.getProperties().flatMap((property) => {
          count += 1
          const text = ts.displayPartsToString(property.getDocumentationComment(checker))
          return text === '' ? [`${exported.name}.${property.name}`] : []
        })
      })
  })
  expect(entries.length).toBeGreaterThan(15)
  expect(count).toBeGreaterThan(150)
  expect([...new Set(silent)]).toEqual([])
})
