import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** What a package says of itself. */
export interface AppPackage {
  readonly name: string
  readonly version: string | undefined
}

function packageIn(folder: string): AppPackage | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8')
    const { name, version } = JSON.parse(text) as { name?: unknown; version?: unknown }
    if (typeof name !== 'string' || name === '') return undefined
    return { name, version: typeof version === 'string' && version !== '' ? version : undefined }
  } catch {
    // none here, or none that can be read: the folder above may have one
    return undefined
  }
}

function packageAbove(folder: string): AppPackage | undefined {
  const above = dirname(folder)
  return packageIn(folder) ?? (above === folder ? undefined : packageAbove(above))
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

/** The package that the running script belongs to, else the one in the working directory. A script among installed packages is a runner's, not the app's. */
export function appPackage(script: string | undefined, workingDirectory: string): AppPackage | undefined {
  const folder = script === undefined ? undefined : folderOf(script)
  const isInstalled = folder?.split(sep).includes('node_modules') ?? true
  const ofScript = folder === undefined || isInstalled ? undefined : packageAbove(folder)
  return ofScript ?? packageAbove(workingDirectory)
}

/** Its name as a namespace. */
export function appName(script: string | undefined, workingDirectory: string): string | undefined {
  const found = appPackage(script, workingDirectory)
  return found === undefined ? undefined : asNamespace(found.name)
}
