import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf, parse } from '../architecture/sources.ts'
import { PROGRAM } from './healthcheck-program.ts'

const text = readFileSync(PROGRAM, 'utf8')

test('the built program is one file that imports the few modules of Node that it needs, and TLS and processes only when they are', () => {
  const imports = importsOf(parse('healthcheck.js', text))
  expect(imports.map(({ specifier }) => specifier).sort()).toEqual([
    'node:child_process',
    'node:fs',
    'node:http',
    'node:https',
    'node:net',
  ])
  const loaded = [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name)
  expect(loaded.sort()).toEqual(['node:fs', 'node:http', 'node:net'])
})

test('it starts with its interpreter and is executable', () => {
  expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true)
  expect(statSync(PROGRAM).mode & 0o111).toBe(0o111)
})

test('nothing else of the package takes from it', () => {
  const others = readdirSync(dirname(PROGRAM)).filter(
    (file) => /\.c?js$/.test(file) && file !== 'healthcheck.js',
  )
  expect(others).toContain('index.js')
  for (const file of others)
    expect([file, /healthcheck/.test(readFileSync(`${dirname(PROGRAM)}/${file}`, 'utf8'))]).toEqual([
      file,
      false,
    ])
})
