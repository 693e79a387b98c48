import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TYPES = ['node', 'pg', 'express', 'koa']

/** A package as its tarball holds it. */
export interface PackedManifest {
  readonly name: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface PackedProject {
  readonly dir: string
  /** Writes a file and returns its path. */
  write(name: string, text: string): Promise<string>
  /** Runs a program in the project; rejects with its output when it fails. */
  run(command: string, ...args: string[]): Promise<string>
  /** The manifests of the packed packages in the project. */
  manifests(): Promise<readonly PackedManifest[]>
  /** Checks files of the project and the declarations of the packed packages; returns the errors. */
  typeErrors(...files: string[]): Promise<string>
  remove(): Promise<void>
}

async function call(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|BALDUR_|NODE_OPTIONS|VITEST)/i.test(name)),
  )
  const { stdout, stderr } = await run(command, args, { cwd, env, maxBuffer: 10_000_000 }).catch((error) => {
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`)
  })
  return stdout + stderr
}

/** Packs every published package as it would be published; the folder holds the tarballs. */
export async function packAll(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'baldur-packed-'))
  const pnpm = join(ROOT, 'node_modules', '.bin', 'pnpm')
  const filter = ['-r', '--filter', './packages/*', '--filter', '!health-testkit']
  await call(ROOT, pnpm, [...filter, 'pack', '--pack-destination', folder])
  return folder
}

async function emptyProject(type: 'module' | 'commonjs'): Promise<PackedProject> {
  const dir = await mkdtemp(join(tmpdir(), 'baldur-project-'))
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'empty', private: true, type }))
  const scope = join(dir, 'node_modules', '@baldur')
  return {
    dir,
    write: async (name, text) => {
      await writeFile(join(dir, name), text)
      return join(dir, name)
    },
    run: (command, ...args) => call(dir, command, args),
    manifests: async () =>
      Promise.all(
        (await readdir(scope)).map(async (name) =>
          JSON.parse(await readFile(join(scope, name, 'package.json'), 'utf8')),
        ),
      ),
    typeErrors: (...files) =>
      call(dir, process.execPath, [fileURLToPath(new URL('check-types.mjs', import.meta.url)), ...files]),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** An empty npm project into which all tarballs and packages of the registry are installed. */
export async function installInto(
  tarballs: string,
  { type, others }: { readonly type: 'module' | 'commonjs'; readonly others: readonly string[] },
): Promise<PackedProject> {
  const project = await emptyProject(type)
  const paths = (await readdir(tarballs)).map((file) => join(tarballs, file))
  await project.run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...paths, ...others)
  return project
}

/** The same without the network: the tarballs are unpacked, and what they depend on is linked from the workspace. */
export async function unpackInto(
  tarballs: string,
  { only, others = [] }: { readonly only?: string; readonly others?: readonly string[] } = {},
): Promise<PackedProject> {
  const project = await emptyProject('module')
  const modules = join(project.dir, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  for (const file of await readdir(tarballs)) {
    const name = /^baldur-(health-[a-z]+)-\d/.exec(file)?.[1]
    if (name === undefined) throw new Error(`not the tarball of a package: ${file}`)
    if (only !== undefined && name !== only) continue
    const folder = join(modules, '@baldur', name)
    await mkdir(folder, { recursive: true })
    await project.run('tar', '-xzf', join(tarballs, file), '-C', folder, '--strip-components=1')
  }
  if (only !== undefined) return project
  const link = async (name: string, owner: string): Promise<void> => {
    const path = join(modules, name)
    await mkdir(dirname(path), { recursive: true })
    await symlink(await realpath(join(ROOT, owner, 'node_modules', name)), path)
  }
  const owners = new Map([...others, ...TYPES.map((name) => `@types/${name}`)].map((name) => [name, '']))
  for (const { name, bin = {}, dependencies, peerDependencies } of await project.manifests()) {
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies }))
      if (!needed.startsWith('@baldur/')) owners.set(needed, name.replace('@baldur', 'packages'))
    for (const [program, file] of Object.entries(bin))
      await symlink(join(modules, name, file), join(modules, '.bin', program))
  }
  for (const [name, owner] of owners) await link(name, owner)
  return project
}

/** The newest compiler that still knows the old module resolution. */
export const TSC_6: string = join(ROOT, 'node_modules', 'typescript-6', 'bin', 'tsc')

/** The newest compiler, which has no JavaScript API. */
export const TSC_7: string = join(ROOT, 'node_modules', '.bin', 'tsc')
