import { isTupleOfShapes, type Shape } from '../../shape/shape.ts'
import { scenarioSchema } from './schema.ts'

/**
 * The schema for editors. In draft 7 nothing beside a `$ref` counts, so descriptions are wrapped around it; and
 * wherever a value is expected, a parameter may stand.
 */
export function editorSchema(): object {
  const definitions = Object.fromEntries(
    Object.entries(scenarioSchema.definitions).map(([name, schema]) => [name, forEditors(schema)]),
  )
  return { ...forEditors(scenarioSchema), definitions }
}

function forEditors(schema: Shape): object {
  const { $ref, properties, additionalProperties, items, oneOf, propertyNames, ...rest } = schema
  const { 'x-refused': _, ...plain } = rest
  if ($ref !== undefined) {
    const { title, description, default: usual, ...range } = plain
    const about = {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(usual === undefined ? {} : { default: usual }),
    }
    return { ...about, allOf: Object.keys(range).length === 0 ? [{ $ref }] : [{ $ref }, range] }
  }
  const whole = {
    ...plain,
    ...(properties === undefined ? {} : { properties: mapValues(properties) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean'
              ? additionalProperties
              : forEditors(additionalProperties),
        }),
    ...(propertyNames === undefined ? {} : { propertyNames: plainNames(propertyNames) }),
    ...(items === undefined
      ? {}
      : { items: isTupleOfShapes(items) ? items.map(forEditors) : forEditors(items) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.filter(isTaken).map(branchForEditors) }),
  }
  return takesParameter(schema) ? withParameter(whole) : whole
}

/** Editors do not offer words that are refused. */
const isTaken = (schema: Shape): boolean => schema['x-refused'] === undefined

/**
 * No parameter may stand for a choice between keys, which is not a value, or between kinds, which depends on a word.
 */
function branchForEditors(branch: Shape): object {
  return branch.required !== undefined && branch.type === undefined ? branch : forEditors(branch)
}

function mapValues(properties: { readonly [name: string]: Shape }): { readonly [name: string]: object } {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, schema]) => isTaken(schema))
      .map(([key, schema]) => {
        // Kinds and versions decide which shape is meant.
        const isFixed = schema.const !== undefined && (key === 'kind' || key === 'version')
        return [key, isFixed ? schema : forEditors(schema)]
      }),
  )
}

/** Names of keys are never parameters. */
function plainNames(schema: Shape): object {
  return schema
}

function takesParameter({ type, enum: words, const: fixed, pattern }: Shape): boolean {
  if (words !== undefined || fixed !== undefined) return true
  const types = typeof type === 'string' ? [type] : (type ?? [])
  const isScalar = types.some((name) => ['string', 'number', 'integer', 'boolean'].includes(name))
  return isScalar && (pattern !== undefined || !types.includes('string'))
}

/** The description of the value stays outside, where editors look for it. */
function withParameter(schema: object): object {
  const entries = Object.entries(schema)
  const [about, rest] = [true, false].map((isAbout) =>
    Object.fromEntries(entries.filter(([key]) => annotations.has(key) === isAbout)),
  )
  return { ...about, anyOf: [rest, { type: 'string', pattern: '\\$\\{[^}]+\\}' }] }
}

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples'])
