import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportsOf, packagesIn, parse, ROOT, readManifest, type Source } from './sources.ts'

const UPDATE = 'npx vitest run tests/architecture/api.test.ts --update'

interface Entry {
  readonly name: string
  readonly file: string
  readonly source: Source
}

/** The public entries of a package, by the names that users import. */
function entriesOf(folder: string): readonly Entry[] {
  const { name, exports = {} } = readManifest(folder)
  return Object.entries(exports).flatMap(([key, target]) => {
    const path = (target as Record<string, string>)['@baldur/source']
    if (path === undefined) return []
    const file = join(ROOT, folder, path)
    return [{ name: name + key.slice(1), file, source: parse(path, readFileSync(file, 'utf8')) }]
  })
}

function apiOf(folder: string): string {
  const sections = entriesOf(folder).map(({ name, source }) => {
    const lines = [...exportsOf(source)].sort(([a], [b]) => (a < b ? -1 : 1))
    return `## ${name}\n\n${lines.map(([word, kind]) => `- \`${word}\` (${kind})`).join('\n')}\n`
  })
  return `Every name that can be imported. Made by \`${UPDATE}\`; a new line is a promise.\n\n${sections.join('\n')}`
}

const PUBLISHED = packagesIn('packages')
  .filter((folder) => readManifest(folder).publishConfig !== undefined)
  .map((folder) => [folder] as const)

describe.each(PUBLISHED)('%s', (folder) => {
  it(`exports what its api.md says (after a change on purpose: ${UPDATE})`, async () => {
    await expect(apiOf(folder)).toMatchFileSnapshot(join(ROOT, folder, 'api.md'))
  })

  it('exports at run time the values that its entries name', async () => {
    for (const { file, source } of entriesOf(folder)) {
      const values = [...exportsOf(source)].filter(([, kind]) => kind === 'value').map(([name]) => name)
      const module = (await import(file)) as object
      expect(Object.keys(module).sort()).toEqual(values.sort())
    }
  })
})

describe('an entry', () => {
  it('is read in every form of a re-export', () => {
    const text = `export { a, type B, c as d } from './x.ts'
      export type { E, F as G } from './y.ts'
      export * as h from './z.ts'
      export { i as default } from './z.ts'`
    expect(Object.fromEntries(exportsOf(parse('index.ts', text)))).toEqual({
      a: 'value',
      B: 'type',
      d: 'value',
      E: 'type',
      G: 'type',
      h: 'value',
      default: 'value',
    })
  })

  it.each([
    ["export * from './x.ts'", 'name what is exported'],
    ['export const a = 1', 'only re-exports'],
    ['export interface A {}', 'only re-exports'],
  ])('may not say: %s', (text, why) => {
    expect(() => exportsOf(parse('index.ts', text))).toThrow(why)
  })
})
