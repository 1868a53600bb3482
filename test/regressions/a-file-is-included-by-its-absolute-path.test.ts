// Room: scenario

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadScenario } from '../../src/scenario/load.ts'
import { createIncludeReader } from '../../src/world/shipped/read-includes.ts'

/* A recording could be named by an absolute path, and an included file could not: its path was put behind the folder of the file that includes it. */

it('wherever the file lies that includes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'include-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const included = join(folder, 'market.yaml')
  writeFileSync(included, 'market: {assets: {BTC: {price: 50000}}}')
  const text = `version: 1\nname: outer\ninclude: ${JSON.stringify(included)}`
  const loaded = loadScenario(text, 'elsewhere/outer.yaml', { readInclude: createIncludeReader('/nowhere') })
  expect(loaded).toMatchObject({ ok: true, value: { name: 'outer' } })
})
