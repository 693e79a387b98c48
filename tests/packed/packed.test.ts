import { copyFile, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type PrivatePostgres, spawnApp, startPostgres } from 'health-testkit'
import { listen } from 'health-testkit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectServices } from './packed-program.ts'
import { type PackedManifest, type PackedProject, packAll, unpackInto } from './packed-project.ts'

let tarballs: string
let project: PackedProject
let manifests: readonly PackedManifest[]
let postgres: PrivatePostgres

beforeAll(async () => {
  const started = startPostgres()
  tarballs = await packAll()
  project = await unpackInto(tarballs, { others: ['redis'] })
  manifests = await project.manifests()
  postgres = await started
})
afterAll(async () => {
  await Promise.all([project?.remove(), postgres?.stop()])
  if (tarballs !== undefined) await rm(tarballs, { recursive: true, force: true })
})

/** The name of every entry that is published, without the manifests. */
const entries = (): readonly string[] =>
  manifests.flatMap(({ name, exports }) =>
    Object.keys(exports)
      .filter((entry) => entry !== './package.json')
      .map((entry) => name + entry.slice(1)),
  )

test('every published entry gives import and require the same names, each from a build of its own', async () => {
  const path = await project.write(
    'entries.mjs',
    `import { createRequire } from 'node:module'
     const require = createRequire(import.meta.url)
     const told = []
     for (const entry of ${JSON.stringify(entries())})
       told.push({
         entry,
         imported: Object.keys(await import(entry)).sort(),
         required: Object.keys(require(entry)).sort(),
         ends: [import.meta.resolve(entry), require.resolve(entry)].map((file) => file.split('.').at(-1)),
       })
     for (const name of ${JSON.stringify(manifests.map(({ name }) => name))})
       if (require(name + '/package.json').name !== name) throw new Error(name)
     console.log(JSON.stringify(told))`,
  )
  const told = JSON.parse(await project.run(process.execPath, path))
  expect(told.map(({ entry }: { entry: string }) => entry)).toEqual(entries())
  for (const { entry, imported, required, ends } of told) {
    expect([entry, ends, imported]).toEqual([entry, ['js', 'cjs'], required])
    expect(imported.length, entry).toBeGreaterThan(0)
  }
})

test.each(['import', 'require'] as const)(
  'every framework works with %s, and nothing of ours keeps the process alive once all is closed',
  (how) => expectServices(project, how, postgres.url),
)

test('the HEALTHCHECK program runs by its name and by its path, alone in its file', async () => {
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/liveness' ? 200 : 503).end(),
  )
  const { close } = await listen(server)
  const port = String((server.address() as AddressInfo).port)
  const { dir } = project
  const byName = { command: join(dir, 'node_modules', '.bin', 'baldur-healthcheck'), args: [] }
  const byPath = join(dir, 'node_modules', '@baldur', 'health-admin', 'dist', 'healthcheck.js')
  const alone = join(dir, 'alone.mjs')
  await copyFile(byPath, alone)
  for (const { args, ...how } of [byName, { args: [byPath] }, { args: [alone] }]) {
    const good = await spawnApp({ ...how, args: [...args, '--port', port] })
    expect([await good.exited, good.stderr]).toMatchObject([{ code: 0 }, []])
    const ill = await spawnApp({ ...how, args: [...args, '--port', port, '--path', '/readiness'] })
    expect([await ill.exited, ill.stderr]).toMatchObject([
      { code: 1 },
      [expect.stringMatching(/127\.0\.0\.1 answered 503/)],
    ])
  }
  await close()
})

test('core alone works without a driver, and a DSN without its own is a settings error that shows no secret', async () => {
  const alone = await unpackInto(tarballs, { only: 'health-core' })
  const path = await alone.write(
    'main.mjs',
    `import { createHealth } from '@baldur/health-core'
     import '@baldur/health-core/mysql'
     import '@baldur/health-core/postgres'
     import '@baldur/health-core/redis'
     const health = createHealth({ env: {} })
     console.log((await health.answer({ method: 'GET', target: '/health/ready' })).status)
     for (const scheme of ['postgres', 'mysql'])
       try { createHealth({ env: { BALDUR_SQL_DSN: scheme + '://joe:hunter2@db/x' } }) } catch (error) { console.log(error.name, error.message) }`,
  )
  const output = await alone.run(process.execPath, path)
  const [core] = await alone.manifests()
  await alone.remove()
  expect(output).toMatch(
    /^200\nHealthConfigError a setting is wrong:\n {2}BALDUR_SQL_DSN: expected the package pg to be installed, got none\nHealthConfigError a setting is wrong:\n {2}BALDUR_SQL_DSN: expected the package mysql2 to be installed/,
  )
  expect(output).not.toContain('hunter2')
  // npm installs every peer that is not optional
  expect(core).not.toHaveProperty('dependencies')
  const { peerDependencies, peerDependenciesMeta } = core ?? {}
  for (const name of Object.keys(peerDependencies ?? {}))
    expect([name, peerDependenciesMeta?.[name]]).toEqual([name, { optional: true }])
})

test('the declarations of every published entry type-check from ESM and CommonJS', async () => {
  const all = entries().map((entry, nth) => `export * as e${nth} from '${entry}'`)
  // types that were not found would be no error of theirs
  const wrong = `// @ts-expect-error: an option that does not exist\n(await import('@baldur/health-core')).createHealth({ budget: 5 })`
  const text = [...all, `export const wrong = async () => {`, wrong, '}'].join('\n')
  await project.write('all.mts', text)
  await project.write('all.cts', text)
  expect(await project.typeErrors('all.mts', 'all.cts')).toBe('')
})

test('the tarballs hold nothing but the build, the licence and the README, and no trace of the sources', async () => {
  const scope = join(project.dir, 'node_modules', '@baldur')
  const files = (await readdir(scope, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(scope.length))
  const allowed =
    /^\/health-[a-z]+\/(?:dist\/[^/]+\.(?:c?js|d\.c?ts)(?:\.map)?|package\.json|README\.md|LICENSE)$/
  expect(files.filter((file) => !allowed.test(file))).toEqual([])
  for (const { name } of manifests)
    for (const file of ['README.md', 'LICENSE'])
      expect(files).toContain(`${name.replace('@baldur', '')}/${file}`)
  expect(JSON.stringify(manifests)).not.toMatch(/@baldur\/source|workspace:|catalog:/)
})
