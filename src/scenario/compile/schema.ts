import { selfTradeModes } from '../../engine/codes.ts'
import { recordingData } from '../../market/recordings/file-options.ts'
import { schemaInFile } from '../../shape/in-file.ts'
import { isTupleOfShapes, type Shape } from '../../shape/shape.ts'
import { agentsSchema } from '../agents/compile-agents.ts'
import { limitsSchema } from '../file/amounts.ts'
import { longestSeed } from '../file/params.ts'
import { bookData, bookFiles } from '../file/recorded-books.ts'
import { type RootSchema, withDescription, word, words } from '../file/schema-words.ts'
import { reportSchema } from './compile.ts'
import { accountSchema, feesSchema } from './compile-accounts.ts'
import { clockSchema } from './compile-clock.ts'
import { expectation } from './compile-expectations.ts'
import { marketSchema } from './compile-market.ts'
import { timelineEntry } from './compile-timeline.ts'
import { rateLimits } from './compiled.ts'

const fileName: Shape = { title: 'the name of a file', type: 'string', minLength: 1, maxLength: 1000 }

/** The JSON Schema of the whole scenario format, by which the loader validates. */
export const scenarioSchema: RootSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'an otcsim scenario',
  type: 'object',
  additionalProperties: false,
  required: ['version', 'name', 'market'],
  properties: {
    $schema: { type: 'string', description: 'The schema for editors; otcsim ignores it.' },
    version: { const: 1, description: 'The version of the format, which is 1.' },
    name: withDescription(word, 'The name of the scenario in reports and worlds.'),
    description: {
      type: 'string',
      maxLength: 4000,
      description: 'What the scenario is about, in a sentence.',
    },
    seed: {
      title: 'a seed, as text or as a whole number',
      type: ['string', 'integer'],
      minLength: 1,
      maxLength: longestSeed,
      description: 'Seed of all random streams; 1 by default.',
    },
    params: {
      type: 'object',
      maxProperties: 100,
      description:
        'Parameters and their defaults. A text refers to a parameter by a dollar sign and its name in braces. The caller must give parameters without a default.',
      propertyNames: word,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
    clock: clockSchema,
    market: marketSchema,
    fees: feesSchema,
    selfTrade: {
      enum: selfTradeModes,
      description: 'What happens when an account would trade with itself; cancel_taker by default.',
    },
    rateLimits: schemaInFile(rateLimits),
    readings: {
      title: 'values by reading, or a preset',
      type: ['object', 'string'],
      minLength: 1,
      maxProperties: 200,
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      description:
        'Values of readings, which are the points that the specification leaves open. A preset is a named set of values: alone, such as "@published-client", or under the key preset beside single readings, which override it.',
    },
    accounts: {
      type: 'array',
      maxItems: 10_000,
      items: accountSchema,
      description: "The clients' accounts; desk, trader, maker and viewer by default.",
    },
    timeline: {
      type: 'array',
      maxItems: 100_000,
      items: timelineEntry,
      description: 'What happens, and when.',
    },
    expect: { type: 'array', maxItems: 10_000, items: expectation, description: 'What must hold.' },
    include: {
      title: 'a file, or a list of files',
      description:
        'Scenario files, relative to this one, whose timeline and expectations go before those of this file; otherwise this file wins.',
      oneOf: [fileName, { type: 'array', maxItems: 100, items: fileName }],
    },
    matrix: {
      type: 'object',
      maxProperties: 20,
      propertyNames: word,
      additionalProperties: {
        title: 'values, or a span such as 1..100',
        oneOf: [
          { type: ['string', 'number', 'boolean'] },
          { type: 'array', minItems: 1, maxItems: 10_000, items: { type: ['string', 'number', 'boolean'] } },
        ],
      },
      description:
        'One run for each combination: `seed` and any parameters, each with a list of values or a span such as 1..100.',
    },
    agents: agentsSchema,
    report: reportSchema,
  },
  definitions: { ...words, limits: limitsSchema, recording: recordingData, bookFiles, bookData },
}

/**
 * Creates the schema for editors as JSON, in which undefined members are left out. In draft 7 nothing beside a `$ref`
 * counts, so descriptions are wrapped around it. Wherever a value is expected, a parameter may stand.
 */
export function editorSchema(): object {
  const definitions = Object.fromEntries(
    Object.entries(scenarioSchema.definitions).map(([name, schema]) => [name, toEditorSchema(schema)]),
  )
  return { ...toEditorSchema(scenarioSchema), definitions }
}

function toEditorSchema(schema: Shape): object {
  const { $ref, properties, additionalProperties, items, oneOf, propertyNames, ...rest } = schema
  const { 'x-refused': _, ...plain } = rest
  if ($ref !== undefined) {
    const { title, description, default: usual, ...range } = plain
    const allOf = Object.keys(range).length === 0 ? [{ $ref }] : [{ $ref }, range]
    return { title, description, default: usual, allOf }
  }
  const whole = {
    ...plain,
    properties: properties === undefined ? undefined : toEditorProperties(properties),
    additionalProperties:
      typeof additionalProperties === 'object' ? toEditorSchema(additionalProperties) : additionalProperties,
    // Parameters never stand for keys.
    propertyNames,
    items:
      items === undefined
        ? undefined
        : isTupleOfShapes(items)
          ? items.map(toEditorSchema)
          : toEditorSchema(items),
    oneOf: oneOf?.filter(isAccepted).map(toEditorBranch),
  }
  return takesParameter(schema) ? withParameter(whole) : whole
}

/** Returns whether a key is accepted. Editors do not offer keys that are refused. */
const isAccepted = (schema: Shape): boolean => schema['x-refused'] === undefined

/**
 * Converts a branch of a choice. No parameter may stand for a choice between keys, which is not a value, or between
 * kinds, which depends on a word.
 */
function toEditorBranch(branch: Shape): object {
  return branch.required !== undefined && branch.type === undefined ? branch : toEditorSchema(branch)
}

function toEditorProperties(properties: { readonly [name: string]: Shape }): {
  readonly [name: string]: object
} {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, schema]) => isAccepted(schema))
      .map(([key, schema]) => {
        // Kinds and versions decide which shape is meant.
        const isFixed = schema.const !== undefined && (key === 'kind' || key === 'version')
        return [key, isFixed ? schema : toEditorSchema(schema)]
      }),
  )
}

function takesParameter({ type, enum: words, const: fixed, pattern }: Shape): boolean {
  if (words !== undefined || fixed !== undefined) return true
  const types = typeof type === 'string' ? [type] : (type ?? [])
  const isScalar = types.some((name) => ['string', 'number', 'integer', 'boolean'].includes(name))
  return isScalar && (pattern !== undefined || !types.includes('string'))
}

/** Lets a parameter stand for a value. The description stays outside of the choice, where editors look for it. */
function withParameter(schema: object): object {
  const entries = Object.entries(schema)
  const [about, rest] = [true, false].map((isAbout) =>
    Object.fromEntries(entries.filter(([key]) => annotations.has(key) === isAbout)),
  )
  return { ...about, anyOf: [rest, { type: 'string', pattern: '\\$\\{[^}]+\\}' }] }
}

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples'])
