import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface PackedProject {
  readonly dir: string
  /** Writes a file and returns its path. */
  write(name: string, text: string): Promise<string>
  /** Runs a program in the project; rejects with its output when it fails. */
  run(command: string, ...args: string[]): Promise<string>
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
  await call(ROOT, pnpm, [...filter, 'exec', pnpm, 'pack', '--pack-destination', folder])
  return folder
}

/** An empty npm project into which tarballs (by package name) and packages of the registry are installed. */
export async function installInto(
  tarballs: string,
  {
    type,
    packed,
    others,
  }: {
    readonly type: 'module' | 'commonjs'
    readonly packed: readonly string[]
    readonly others: readonly string[]
  },
): Promise<PackedProject> {
  const dir = await mkdtemp(join(tmpdir(), 'baldur-project-'))
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'empty', private: true, type }))
  const files = (await readdir(tarballs)).filter((file) =>
    packed.some((name) => file.startsWith(`baldur-${name}-`)),
  )
  const paths = files.map((file) => join(tarballs, file))
  await call(dir, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...paths, ...others])
  return {
    dir,
    write: async (name, text) => {
      await writeFile(join(dir, name), text)
      return join(dir, name)
    },
    run: (command, ...args) => call(dir, command, args),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

export const TSC: string = join(ROOT, 'node_modules', '.bin', 'tsc')
