import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packagesIn, ROOT, readManifest } from './sources.ts'

const PUBLISHED = packagesIn('packages')
  .map((folder) => ({ folder, manifest: readManifest(folder) }))
  .filter(({ manifest }) => manifest.publishConfig !== undefined)

const CONDITION = '@baldur/source'

/** The export map as it must be packed: without the condition that points at the sources. */
function withoutSource(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== CONDITION)
      .map(([key, inner]) => [key, withoutSource(inner)]),
  )
}

describe.each(PUBLISHED)('$manifest.name', ({ folder, manifest }) => {
  it('publishes its export map without the sources', () => {
    const { exports, publishConfig } = manifest
    expect(JSON.stringify(publishConfig)).not.toContain('src/')
    // as text: the order of conditions is part of their meaning
    expect(JSON.stringify(publishConfig?.exports)).toBe(JSON.stringify(withoutSource(exports)))
  })

  it('names its sources first, in every entry, and they are there', () => {
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      if (entry === './package.json') continue
      const [condition, file] = Object.entries(target as Record<string, unknown>)[0] ?? []
      expect([entry, condition]).toEqual([entry, CONDITION])
      expect(existsSync(join(ROOT, folder, String(file)))).toBe(true)
    }
  })
})

describe('what is published', () => {
  it('is the core and at least one adapter', () => {
    const names = PUBLISHED.map(({ manifest }) => manifest.name)
    expect(names).toContain('@baldur/health-core')
    expect(names).toContain('@baldur/health-fastify')
  })

  it('the core depends on nothing at run time', () => {
    expect(readManifest('packages/health-core')).not.toHaveProperty('dependencies')
    expect(readManifest('packages/health-core')).not.toHaveProperty('optionalDependencies')
  })
})
