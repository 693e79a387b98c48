// A plugin for tsdown and Vitest alike: `./main.ts?script` is the program bundled for a browser, `./page.css?text` the file's text.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const REQUEST = /^(?<file>\..+)\?(?<kind>script|text)$/
const MARK = '\0browser:'

/** @returns {Promise<{ code: string, files: readonly string[] }>} */
async function bundle(file) {
  const build = await rolldown({ input: file, platform: 'browser', transform: { target: 'es2022' } })
  const { output } = await build.generate({ format: 'iife', minify: true, comments: { legal: false } })
  await build.close()
  const [{ code, moduleIds }] = output
  return { code: code.trim(), files: moduleIds }
}

export const bundleBrowser = () => ({
  name: 'bundle-browser',
  enforce: 'pre',
  resolveId(source, importer) {
    const { file, kind } = REQUEST.exec(source)?.groups ?? {}
    if (file === undefined || importer === undefined) return null
    // it ends in .js, else a tool takes the text for the style or the page that its name says
    return `${MARK}${kind}:${resolve(dirname(importer), file)}.js`
  },
  async load(id) {
    if (!id.startsWith(MARK)) return null
    const [kind, file] = id.slice(MARK.length, -'.js'.length).split(/:(.*)/s)
    const { code, files } =
      kind === 'script' ? await bundle(file) : { code: readFileSync(file, 'utf8'), files: [file] }
    for (const watched of files) this.addWatchFile(watched)
    return { code: `export default ${JSON.stringify(code)}`, moduleType: 'js', map: null }
  },
})
