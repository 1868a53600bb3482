import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { findValidator } from '../../src/shape/compiled-schemas.ts'
import type { Shape } from '../../src/shape/shape.ts'
import { loadShipped } from '../../src/world/shipped/shipped-scenarios.ts'
import { createWorld } from '../../src/world/world.ts'
import { caseBudget } from '../support/full-run.ts'
import { literalOf, shippedValues } from './generate-scenarios.ts'
import { generateValidators, schemasOfCallers } from './generate-validators.ts'

/* The modules that the build generates behave like the sources that they replace. */

const folder = mkdtempSync(join(tmpdir(), 'otcsim-prepared-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('generated validators', () => {
  it('find the same problems in any value as the compiled ones', async () => {
    const schemas = schemasOfCallers()
    const file = join(folder, 'validators.mjs')
    writeFileSync(file, generateValidators(schemas))
    const generated: { readonly findValidator: typeof findValidator } = await import(pathToFileURL(file).href)
    expect(schemas.length).toBeGreaterThan(60)
    for (const schema of schemas) {
      const property = fc.property(valuesNear(schema), (value) => {
        const theirs = findValidator(schema)
        const ours = generated.findValidator(schema)
        expect(ours(value)).toBe(theirs(value))
        expect(ours.errors ?? []).toEqual(theirs.errors ?? [])
      })
      fc.assert(property, { seed: 7, numRuns: caseBudget(40) })
    }
  })

  it('throw for a schema that the build has not seen', async () => {
    const file = join(folder, 'none.mjs')
    writeFileSync(file, generateValidators([]))
    const { findValidator: none } = await import(pathToFileURL(file).href)
    expect(() => none({ type: 'string' })).toThrow('the build knows no validator of {"type":"string"}')
  })
})

/** Objects with the schema's fields and others, some of the right type. */
function valuesNear(schema: Shape): fc.Arbitrary<unknown> {
  const names = [...Object.keys(schema.properties ?? {}), 'colour']
  const constants = Object.values(schema.properties ?? {}).flatMap((property) => property.enum ?? [])
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      ...constants,
      null,
      true,
      '',
      0,
      -1,
      0.5,
      7,
      1e9,
      'BTC',
      'x'.repeat(65),
      '\u0007',
    ),
    fc.array(fc.constantFrom<unknown>('BTC', {}, 1, null), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), fc.constantFrom<unknown>(1, 'a', null)),
  )
  return fc.oneof({ weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...names), value) }, value)
}

describe('prepared scenarios', () => {
  it.each([...shippedValues()])('%s makes the same world as its file', (name, value) => {
    const fromFile = loadShipped(name, {})
    const prepared = loadScenarioValue(JSON.parse(JSON.stringify(value)))
    expect(prepared.ok).toBe(fromFile?.ok)
    if (!prepared.ok || fromFile?.ok !== true) return
    const [one, other] = [createWorld(prepared.value), createWorld(fromFile.value)]
    for (const world of [one, other]) world.advance('5m')
    expect(one.digest()).toBe(other.digest())
    expect(one.keys.list().map(({ apiKey }) => apiKey)).toEqual(other.keys.list().map(({ apiKey }) => apiKey))
  })

  it('are the same as code', async () => {
    const loaded = [...shippedValues().values()].map((value) => loadScenarioValue(value))
    const file = join(folder, 'scenarios.mjs')
    writeFileSync(file, `export const scenarios = ${literalOf(loaded)}`)
    const { scenarios } = await import(pathToFileURL(file).href)
    expect(scenarios).toStrictEqual(loaded)
  })
})
