import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

function nameIn(folder: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown }
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    // none here, or none that can be read: the folder above may have one
    return undefined
  }
}

function nameAbove(folder: string): string | undefined {
  const above = dirname(folder)
  return nameIn(folder) ?? (above === folder ? undefined : nameAbove(above))
}

function folderOf(script: string): string | undefined {
  try {
    return dirname(realpathSync(script))
  } catch {
    // the script is not a file: a flag such as --eval took its place
    return undefined
  }
}

/** A package's name as a namespace: `@acme/orders` becomes `acme.orders`. */
export const asNamespace = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^@/, '')
    .replaceAll('/', '.')
    .replace(/[^a-z0-9._-]/g, '-')
    .slice(0, 64)

/** The name of the package that the running script belongs to, else of the one in the working directory. A script among installed packages is a runner's, not the app's. */
export function appName(script: string | undefined, workingDirectory: string): string | undefined {
  const folder = script === undefined ? undefined : folderOf(script)
  const isInstalled = folder?.split(sep).includes('node_modules') ?? true
  const ofScript = folder === undefined || isInstalled ? undefined : nameAbove(folder)
  const name = ofScript ?? nameAbove(workingDirectory)
  return name === undefined ? undefined : asNamespace(name)
}
