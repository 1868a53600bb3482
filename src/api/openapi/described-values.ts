import type { Shape, TypeName } from '../../shape/shape.ts'
import type { Readings } from '../readings/readings.ts'
import { dateOrTimePattern } from './date-pattern.ts'

/** How the schemas of one document are written. */
export interface SchemaStyle {
  /** The schemas that are components of the document. */
  readonly names: ReadonlyMap<Shape, string>
  readonly readings: Readings
}

/** The keywords that the interface's shapes have. */
type Described = Pick<
  Shape,
  Exclude<keyof Shape, 'format' | 'oneOf' | 'allOf' | 'not' | 'prefixItems' | 'propertyNames' | 'byName'>
> & {
  readonly format?: string
}

/**
 * A schema of one value in the form that code generators need. Words and constants state their type, which some
 * generators would otherwise guess; where null is one of the words, the schema is the named words or null. Numbers are
 * doubles, because without a format some generators make floats with half the digits.
 */
export function describedValues(schema: Shape, style: SchemaStyle): Described {
  const { format, ...rest } = describedWords(schema, style.names)
  switch (format) {
    case 'date-time':
      return { ...rest, format }
    case 'date-or-time':
      return { ...rest, pattern: dateOrTimePattern }
    case 'percent':
      return { ...rest, format: 'double', description: inUnit(rest, style) }
    default:
      return hasType(schema, 'number') ? { ...rest, format: 'double' } : rest
  }
}

function inUnit({ description }: Shape, { readings }: SchemaStyle): string {
  const unit = percentUnits[readings['percent.unit']]
  return description === undefined ? unit : `${description}: ${unit}`
}

const percentUnits = { percent: '2.5 is 2.5 %', fraction: '0.025 is 2.5 %' } as const

function hasType({ type }: Shape, name: TypeName): boolean {
  return typeof type === 'string' ? type === name : type?.includes(name) === true
}

function describedWords(schema: Shape, names: SchemaStyle['names']): Shape {
  const { enum: words, ...rest } = schema
  const values = words ?? (schema.const === undefined ? [] : [schema.const])
  if (values.length === 0 || schema.type !== undefined) return schema
  const named = values.includes(null) ? namedWords(values, names) : undefined
  if (named !== undefined) return { ...rest, anyOf: [named, { type: 'null' }] }
  const types = [...new Set(values.map(typeName))]
  const [type] = types
  return { type: type !== undefined && types.length === 1 ? type : types, ...schema }
}

/** The component with these words, but for null. */
function namedWords(values: readonly unknown[], names: SchemaStyle['names']): Shape | undefined {
  const text = JSON.stringify(values.filter((value) => value !== null))
  return [...names.keys()].find(({ enum: words }) => words !== undefined && JSON.stringify(words) === text)
}

function typeName(value: string | number | boolean | null): TypeName {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}
