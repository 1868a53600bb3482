import { isObject, type Json } from '../json.ts'
import { selectReferenced } from './document-schema.ts'

export const openApiVersions = ['3.1', '3.0'] as const
export type OpenApiVersion = (typeof openApiVersions)[number]

interface JsonObject {
  readonly [key: string]: Json | undefined
}

/**
 * Converts a document of version 3.1 to a version: 3.0.3, which more generators understand, or 3.1, which stays as it
 * is.
 */
export function toOpenApiVersion(version: OpenApiVersion, document: JsonObject): JsonObject {
  if (version === '3.1') return document
  const components = objectIn(document, 'components')
  const schemas = objectIn(components, 'schemas')
  const older = downgradeSchemas(document, schemas)
  const olderOnes = mapFields(schemas, (schema, name) => ({
    ...objectOrEmpty(downgradeSchema(schema, schemas)),
    ...nameConstants(schema, name, schemas),
  }))
  const used = selectReferenced(older['paths'] ?? {}, olderOnes)
  return { ...older, openapi: '3.0.3', components: { ...components, schemas: used } }
}

/** Downgrades every schema in a part of the document. Whatever is called `schema` is one; examples may be anything. */
function downgradeSchemas(value: JsonObject, schemas: JsonObject): JsonObject {
  const older = (part: Json): Json => {
    if (isList(part)) return part.map(older)
    return isJsonObject(part) ? downgradeSchemas(part, schemas) : part
  }
  return mapFields(value, (part, key) => {
    if (key === 'schema') return downgradeSchema(part, schemas)
    return key === 'example' || key === 'examples' ? part : older(part)
  })
}

/**
 * Removes from a schema what 3.0 does not have: `const`, numbers as exclusive bounds, lists of types, and the type
 * null.
 */
function downgradeSchema(schema: Json, schemas: JsonObject): Json {
  if (!isJsonObject(schema)) return schema
  const older = (part: Json) => downgradeSchema(part, schemas)
  const { type, const: constant, exclusiveMinimum, anyOf, properties, items, ...rest } = schema
  const { additionalProperties, ...plain } = rest
  return {
    ...(isList(type) ? downgradeTypes(type) : type === undefined ? {} : { type }),
    ...plain,
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(isList(anyOf) ? downgradeAlternatives(anyOf, schemas) : {}),
    ...(isJsonObject(properties) ? { properties: mapFields(properties, older) } : {}),
    ...(items === undefined ? {} : { items: older(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: older(additionalProperties) }),
  }
}

/** Converts a list of types. `nullable` stands beside the other type, as 3.0.3 wants it. */
function downgradeTypes(types: readonly Json[]): JsonObject {
  const [first, ...others] = types.filter((type) => type !== 'null')
  const nullable = types.includes('null') ? { nullable: true } : {}
  if (first !== undefined && others.length === 0) return { type: first, ...nullable }
  return { anyOf: [first, ...others].map((type) => ({ type, ...nullable, ...itemsForType(type) })) }
}

const itemsForType = (type: Json | undefined) => (type === 'array' ? { items: {} } : {})

/** Converts alternatives. A named schema or null is written out, because nothing may stand beside a reference. */
function downgradeAlternatives(members: readonly Json[], schemas: JsonObject): JsonObject {
  const [first, ...others] = members.filter((member) => !isJsonObject(member) || member['type'] !== 'null')
  const isNullable = others.length + 1 < members.length
  if (!isNullable || others.length > 0 || first === undefined)
    return { anyOf: members.map((member) => downgradeSchema(member, schemas)) }
  const { description: _, ...only } = objectOrEmpty(
    downgradeSchema(resolveReference(first, schemas), schemas),
  )
  const words = only['enum']
  return { ...only, nullable: true, ...(isList(words) ? { enum: [...words, null] } : {}) }
}

/**
 * Names the words of an enumeration that shares some with another one: openapi-generator makes constants of them, and
 * in Go constants of different types cannot share a name.
 */
function nameConstants(schema: Json, name: string, schemas: JsonObject): JsonObject {
  const words = listWords(schema)
  const others = Object.entries(schemas).flatMap(([other, theirs]) =>
    other === name ? [] : listWords(theirs),
  )
  if (!words.some((word) => others.includes(word))) return {}
  return { 'x-enum-varnames': words.map((word) => `${name}${toPascalCase(word)}`) }
}

function listWords(schema: Json | undefined): readonly string[] {
  const words = isJsonObject(schema) ? schema['enum'] : undefined
  return isList(words) ? words.map(String) : []
}

function toPascalCase(word: string): string {
  return word.replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
}

function resolveReference(schema: Json, schemas: JsonObject): Json {
  const reference = isJsonObject(schema) ? schema['$ref'] : undefined
  if (typeof reference !== 'string') return schema
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? schema
}

function mapFields(object: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, change(value, key)] as const],
    ),
  )
}

function objectIn(object: JsonObject, key: string): JsonObject {
  return objectOrEmpty(object[key] ?? null)
}

function objectOrEmpty(value: Json): JsonObject {
  return isJsonObject(value) ? value : {}
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value)
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
