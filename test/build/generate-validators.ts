import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { narrowerQueries } from '../../src/api/input/query-string.ts'
import { everyOperationId, routeOf } from '../../src/api/operations/operations.ts'
import { flowShapes } from '../../src/market/flow/flow-spec.ts'
import { impactShape } from '../../src/market/liquidity/impact.ts'
import { liquidityShapes } from '../../src/market/liquidity/liquidity.ts'
import { priceModels } from '../../src/market/models/price-models.ts'
import { adminRoutes } from '../../src/server/admin/routes.ts'
import { ajvOptions } from '../../src/shape/compiled-schemas.ts'
import type { Shape } from '../../src/shape/shape.ts'

/** Every schema by which input or a specification is checked. */
export function checkedSchemas(): readonly object[] {
  return [
    ...schemasOfCallers(),
    ...Object.values(priceModels).map(({ shape }) => shape),
    ...[...liquidityShapes.values(), ...flowShapes.values(), impactShape],
  ]
}

/** Every schema by which input is validated. */
export function schemasOfCallers(): readonly Shape[] {
  const venue = everyOperationId.map(routeOf).flatMap(({ query, body, bodyItem }) => [query, body, bodyItem])
  const narrower = narrowerQueries.map(({ query }) => query)
  return [...venue, ...narrower, ...adminRoutes.map(({ body }) => body)].filter((schema) => schema != null)
}

/**
 * A module that replaces `src/shape/compiled-schemas.ts`, with the functions that the library generates for these
 * schemas. A schema is found by its text; a missing one is a bug of the build.
 */
export function generateValidators(schemas: readonly object[]): string {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true } })
  const names: Record<string, string> = {}
  const keys: string[] = []
  for (const text of new Set(schemas.map((schema) => JSON.stringify(schema)))) {
    const name = `schema_${keys.length}`
    ajv.addSchema(JSON.parse(text), name)
    names[name] = name
    keys.push(`[${JSON.stringify(text)}, ${name}]`)
  }
  return `${withoutImports(standalone.default(ajv, names))}
const byText = new Map([${keys.join(',\n')}])
const known = new WeakMap()
export function findValidator(schema) {
  let validator = known.get(schema)
  if (validator === undefined) {
    validator = byText.get(JSON.stringify(schema))
    if (validator === undefined) throw new Error('the build knows no validator of ' + JSON.stringify(schema))
    known.set(schema, validator)
  }
  return validator
}
`
}

/** The generated code requires helpers of the library, which are self-contained and small enough to inline. */
function withoutImports(code: string): string {
  const require = createRequire(import.meta.url)
  return code.replaceAll(
    /require\("(ajv\/dist\/runtime\/(?:ucs2length|equal))"\)\.default/g,
    (_call, name: string) => {
      const { default: part } = require(name)
      if (typeof part !== 'function') throw new Error(`${name} is not a function`)
      return `(${part})`
    },
  )
}
