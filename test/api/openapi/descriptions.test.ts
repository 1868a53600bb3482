import { expect, it } from 'vitest'
import { jsonField } from '../../../src/api/json.ts'
import { defaultReadings } from '../../../src/api/readings/readings.ts'
import { buildAdminDocument } from '../../../src/server/admin/admin-document.ts'
import { adminRoutes } from '../../../src/server/admin/routes.ts'
import { resolveScenario } from '../../../src/testing/start-venue.ts'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { buildVenueDocument } from '../../../src/world/venue-document.ts'
import { createWorld } from '../../../src/world/world.ts'

/* Both documents say of every field and every parameter what it is, by themselves or by the schema that they refer to. */

const url = 'http://127.0.0.1:4010'
const scenario = resolveScenario('calm')

it.each(['3.1', '3.0'] as const)('the venue, in version %s', (version) => {
  const about = { version: '1.2.3', url, scenario, seed: '7', readings: defaultReadings }
  expect(undescribed(buildVenueDocument(about, version), 400)).toEqual([])
})

it.each(['3.1', '3.0'] as const)('the admin API, in version %s', async (version) => {
  const facts = { version: '1.2.3', startedAtMillis: 0, readings: {}, url: () => url }
  const server = { ...facts, scenarios: createShippedLibrary(), shutdown: () => undefined }
  expect(
    undescribed(await buildAdminDocument(adminRoutes, createWorld(scenario), server, version), 500),
  ).toEqual([])
})

/** The places of what is not described, in a document of at least so many fields and parameters. */
function undescribed(document: object, atLeast: number): readonly string[] {
  const bare: string[] = []
  let seen = 0
  const note = (name: string, field: unknown) => {
    seen += 1
    if (!isDescribed(document, field)) bare.push(name)
  }
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue
      if (key === 'properties' && !path.endsWith('.properties'))
        for (const [name, field] of Object.entries(Object(part))) note(`${path}.${name}`, field)
      if (key === 'parameters' && Array.isArray(part))
        for (const parameter of part) note(`${path} ?${jsonField(parameter, 'name')}`, parameter)
      visit(part, `${path}.${key}`)
    }
  }
  visit(document, '')
  expect(seen).toBeGreaterThan(atLeast)
  return bare
}

function isDescribed(document: object, field: unknown): boolean {
  const text = jsonField(field, 'description')
  if (typeof text === 'string') return text.length > 2
  const reference = jsonField(field, '$ref')
  if (typeof reference !== 'string') return false
  const schemas = jsonField(jsonField(document, 'components'), 'schemas')
  return isDescribed(document, jsonField(schemas, reference.split('/').at(-1) ?? ''))
}
