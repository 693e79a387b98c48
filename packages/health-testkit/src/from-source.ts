import { fileURLToPath } from 'node:url'
import type { SpawnAppOptions } from './spawn-app.ts'

const INDEX = fileURLToPath(new URL('./index.ts', import.meta.url))
const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

/** A program for tests of what happens when a runner dies: the code finds this package's sources, unbuilt, as `kit`. */
export function fromSource(code: string): Pick<SpawnAppOptions, 'args' | 'cwd'> {
  const program = `
    import { runnerImport } from 'vite'
    const { module: kit } = await runnerImport(${JSON.stringify(INDEX)})
    ${code}`
  return { args: ['--input-type=module', '-e', program], cwd: PACKAGE }
}
