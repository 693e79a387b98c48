// Puts the code of examples/ into the READMEs, below each `<!-- examples/NAME.mjs -->`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const at = (path) => new URL(`../${path}`, import.meta.url)
const packages = readdirSync(at('packages')).map((name) => `packages/${name}/README.md`)
for (const page of ['README.md', 'docs/guides/metrics.md', ...packages]) {
  const text = readFileSync(at(page), 'utf8')
  const filled = text.replace(
    /<!-- (examples\/[\w-]+\.mjs) -->\n```js\n[\s\S]*?```/g,
    (_block, file) => `<!-- ${file} -->\n\`\`\`js\n${readFileSync(at(file), 'utf8')}\`\`\``,
  )
  if (filled !== text) writeFileSync(at(page), filled)
}
