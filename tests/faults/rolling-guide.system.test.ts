// @module-tag nginx
// @module-tag haproxy
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nginxPaths, programFile } from 'health-testkit'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (name: string): string =>
  readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')
/** The first block below a heading. */
const blockOf = (heading: string, guide = 'rolling-restart'): string => {
  const [, below = ''] = read(guide).split(`\n## ${heading}\n`)
  return /^```\w*\n([\s\S]*?)^```$/m.exec(below)?.[1] ?? ''
}
const check = (program: string, args: readonly string[], name: string, text: string) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  const { status, stdout, stderr } = spawnSync(program, [...args, file], { encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

test.each(['rolling-restart', 'probes'])('HAProxy accepts what the guide %s says', (guide) => {
  const program = programFile('haproxy')
  const defaults = 'defaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n'
  const text = `${defaults}${blockOf('HAProxy', guide)}frontend all\n  bind 127.0.0.1:8080\n  default_backend app\n`
  expect(text).toContain('backend app')
  expect(check(program, ['-c', '-f'], 'haproxy.cfg', text)).toMatchObject({ status: 0 })
})

test('nginx accepts what the guide says', () => {
  const program = programFile('nginx')
  const block = blockOf('nginx')
  expect(block).toContain('upstream app')
  const text = `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${nginxPaths(folder)}\n${block}}\n`
  expect(check(program, ['-t', '-q', '-e', 'stderr', '-p', folder, '-c'], 'nginx.conf', text)).toMatchObject({
    status: 0,
  })
})
