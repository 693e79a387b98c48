import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const packages = readdirSync(new URL('../../packages', import.meta.url)).map(
  (name) => `packages/${name}/README.md`,
)
const pages = ['README.md', 'docs/guides/metrics.md', ...packages]
const MARKED = /<!-- (examples\/[\w-]+\.mjs) -->\n```js\n([\s\S]*?)```/g

// node scripts/readme.mjs puts them there
test.each(pages)('the code of %s is the example that is run', (page) => {
  for (const [, file, code] of read(page).matchAll(MARKED))
    expect([file, code]).toEqual([file, read(file ?? '')])
  const blocks = read(page).split('\n```js\n').length - 1
  expect(blocks, 'every js block names its example').toBe([...read(page).matchAll(MARKED)].length)
})

test('every example is shown somewhere', () => {
  const shown = pages.flatMap((page) => [...read(page).matchAll(MARKED)].map(([, file]) => file))
  for (const file of readdirSync(new URL('../../examples', import.meta.url)))
    expect(shown).toContain(`examples/${file}`)
})
