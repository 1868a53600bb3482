import { isObject, type Json } from '../json.ts'
import { referredTo } from './document-schema.ts'

export const openApiVersions = ['3.1', '3.0'] as const
export type OpenApiVersion = (typeof openApiVersions)[number]

interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** A document of version 3.1 as it is, or in the words of 3.0.3, which more generators understand. */
export function inOpenApi(version: OpenApiVersion, document: JsonObject): JsonObject {
  if (version === '3.1') return document
  const components = objectIn(document, 'components')
  const schemas = objectIn(components, 'schemas')
  const older = withOlderSchemas(document, schemas)
  const olderOnes = mapped(schemas, (schema, name) => ({
    ...objectOf(olderSchema(schema, schemas)),
    ...constantsOf(schema, name, schemas),
  }))
  const used = referredTo(older['paths'] ?? {}, olderOnes)
  return { ...older, openapi: '3.0.3', components: { ...components, schemas: used } }
}

/** Everything that is called `schema` is one; examples may be anything. */
function withOlderSchemas(value: JsonObject, schemas: JsonObject): JsonObject {
  const older = (part: Json): Json => {
    if (isList(part)) return part.map(older)
    return isJsonObject(part) ? withOlderSchemas(part, schemas) : part
  }
  return mapped(value, (part, key) => {
    if (key === 'schema') return olderSchema(part, schemas)
    return key === 'example' || key === 'examples' ? part : older(part)
  })
}

/** A schema without what 3.0 does not have: `const`, numbers as exclusive bounds, lists of types, and the type null. */
function olderSchema(schema: Json, schemas: JsonObject): Json {
  if (!isJsonObject(schema)) return schema
  const older = (part: Json) => olderSchema(part, schemas)
  const { type, const: constant, exclusiveMinimum, anyOf, properties, items, ...rest } = schema
  const { additionalProperties, ...plain } = rest
  return {
    ...(isList(type) ? typesOf(type) : type === undefined ? {} : { type }),
    ...plain,
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(isList(anyOf) ? alternatives(anyOf, schemas) : {}),
    ...(isJsonObject(properties) ? { properties: mapped(properties, older) } : {}),
    ...(items === undefined ? {} : { items: older(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: older(additionalProperties) }),
  }
}

/** Where null is one of the types, `nullable` stands beside the other one, as 3.0.3 wants it. */
function typesOf(types: readonly Json[]): JsonObject {
  const [first, ...others] = types.filter((type) => type !== 'null')
  const nullable = types.includes('null') ? { nullable: true } : {}
  if (first !== undefined && others.length === 0) return { type: first, ...nullable }
  return { anyOf: [first, ...others].map((type) => ({ type, ...nullable, ...itemsOf(type) })) }
}

const itemsOf = (type: Json | undefined) => (type === 'array' ? { items: {} } : {})

/** A named schema or null is written out, because nothing may stand beside a reference. */
function alternatives(members: readonly Json[], schemas: JsonObject): JsonObject {
  const [first, ...others] = members.filter((member) => !isJsonObject(member) || member['type'] !== 'null')
  const isNullable = others.length + 1 < members.length
  if (!isNullable || others.length > 0 || first === undefined)
    return { anyOf: members.map((member) => olderSchema(member, schemas)) }
  const { description: _, ...only } = objectOf(olderSchema(resolved(first, schemas), schemas))
  const words = only['enum']
  return { ...only, nullable: true, ...(isList(words) ? { enum: [...words, null] } : {}) }
}

/**
 * Names for the words of an enumeration that another one has, too: openapi-generator makes constants of them, and in Go
 * constants of different types may not have one name.
 */
function constantsOf(schema: Json, name: string, schemas: JsonObject): JsonObject {
  const words = wordsOf(schema)
  const others = Object.entries(schemas).flatMap(([other, theirs]) => (other === name ? [] : wordsOf(theirs)))
  if (!words.some((word) => others.includes(word))) return {}
  return { 'x-enum-varnames': words.map((word) => `${name}${inCapitals(word)}`) }
}

function wordsOf(schema: Json | undefined): readonly string[] {
  const words = isJsonObject(schema) ? schema['enum'] : undefined
  return isList(words) ? words.map(String) : []
}

function inCapitals(word: string): string {
  return word.replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
}

function resolved(schema: Json, schemas: JsonObject): Json {
  const reference = isJsonObject(schema) ? schema['$ref'] : undefined
  if (typeof reference !== 'string') return schema
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? schema
}

function mapped(object: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, change(value, key)] as const],
    ),
  )
}

function objectIn(object: JsonObject, key: string): JsonObject {
  return objectOf(object[key] ?? null)
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {}
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value)
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
