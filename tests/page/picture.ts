import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { AdminState } from '../../packages/health-admin/src/live/state.ts'
import type { ScriptedServer } from './scripted-server.ts'
import { smallPng } from './small-png.ts'

/** A picture in the docs. */
export interface Picture {
  readonly name: string
  readonly state: () => AdminState
  readonly width: number
  readonly height: number
}

const FOLDER = new URL('../../docs/images/', import.meta.url)

/** With TEST_SCREENSHOTS=write it makes a picture of the state; without, a run leaves the docs alone. */
export async function picture(
  page: Page,
  server: ScriptedServer,
  { name, state, width, height }: Picture,
): Promise<void> {
  if (process.env.TEST_SCREENSHOTS !== 'write') return
  const [shown, before] = [state(), page.viewportSize()]
  server.say(shown)
  await page.setViewportSize({ width, height })
  await page.getByRole('heading', { level: 1, name: shown.status.toUpperCase(), exact: true }).waitFor()
  const png = smallPng(await page.screenshot())
  expect(png.length).toBeLessThan(120_000)
  if (before !== null) await page.setViewportSize(before)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(new URL(`${name}.png`, FOLDER), png)
}
