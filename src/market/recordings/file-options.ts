import { schemaInFile } from '../../shape/in-file.ts'
import { orNone, type RecordOf, record, type Shape, shapeTyped } from '../../shape/shape.ts'

/*
 * What a person can say about a file of candles or trades. Files say much of it themselves; where two readings of a
 * file fit, it is refused, and one of these options decides. The command line, scenarios and the library have them.
 */

/** What a column of a table can hold. */
export const columnRoles = [
  ...['time', 'clock', 'open', 'high', 'low', 'close', 'volume'],
  ...['price', 'quantity', 'side', 'id'],
] as const

export type ColumnKind = (typeof columnRoles)[number]

/** Columns by what they hold: each a name of the header, or a number from 1. The word `none` says that there is none. */
export type ColumnNames = { readonly [Role in ColumnKind]?: string }

export const fileOptions = record({
  columns: orNone(
    shapeTyped<ColumnNames>({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        columnRoles.map((role) => [
          role,
          { type: 'string', minLength: 1, description: `The column of the ${role}.` },
        ]),
      ),
      description:
        'Which column holds what, by its name or its number from 1, such as time=Date,volume=6; none for a volume that is not there.',
    }),
  ),
  times: orNone(
    shapeTyped<'open' | 'close'>({
      enum: ['open', 'close'],
      description: 'Whether the times of candles are their beginnings or their ends.',
    }),
  ),
  zone: orNone(
    shapeTyped<string>({
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'The zone of times that name none, such as UTC, -05:00 or America/New_York.',
    }),
  ),
  dates: orNone(
    shapeTyped<'day-first' | 'month-first'>({
      enum: ['day-first', 'month-first'],
      description: 'What comes first in dates such as 01/02/2024.',
    }),
  ),
  decimal: orNone(
    shapeTyped<'point' | 'comma'>({
      enum: ['point', 'comma'],
      description: 'What stands before the decimals of a number; the other one separates thousands.',
    }),
  ),
  volumeIn: orNone(
    shapeTyped<'asset' | 'usd'>({
      enum: ['asset', 'usd'],
      description: 'The unit of the volumes in the file.',
    }),
  ),
  symbol: orNone(
    shapeTyped<string>({
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'The rows to read, of a file that holds several symbols.',
    }),
  ),
  skipBad: orNone(
    shapeTyped<boolean>({ type: 'boolean', description: 'Leaves out rows that cannot be read.' }),
  ),
  sort: orNone(
    shapeTyped<boolean>({ type: 'boolean', description: 'Sorts rows that are not in the order of time.' }),
  ),
  dedupe: orNone(
    shapeTyped<'first' | 'last'>({
      enum: ['first', 'last'],
      description: 'Which of several rows of one time counts.',
    }),
  ),
})

export type FileOptions = RecordOf<typeof fileOptions>

const fileName: Shape = { title: 'the name of a file', type: 'string', minLength: 1, maxLength: 4096 }
const fileNames: Shape = {
  title:
    'the name of a file of candles or trades (CSV, JSON or Parquet, plain, gzip, zip or zstd), or a list of them',
  oneOf: [
    fileName,
    { type: 'array', minItems: 1, maxItems: 1000, items: fileName, description: 'One after the other.' },
  ],
  description: 'The recording, relative to this file.',
}

const { columns, ...plainOptions } = fileOptions.properties
const columnsInFile: Shape = {
  title: 'columns such as time=Date,volume=6, or a mapping',
  oneOf: [{ type: 'string', minLength: 1, maxLength: 4096 }, columns],
  ...(columns.description === undefined ? {} : { description: columns.description }),
}

/** Schema of the key `data` of a scenario's model: files, or files with what is to be known of them. */
export const recordingData: Shape = {
  title: 'the name of a file of candles or trades, a list of them, or {file, columns, ...}',
  oneOf: [
    ...(fileNames.oneOf ?? []),
    {
      type: 'object',
      additionalProperties: false,
      description: 'Files, and how they are to be read.',
      required: ['file'],
      properties: {
        file: fileNames,
        columns: columnsInFile,
        ...Object.fromEntries(
          Object.entries(plainOptions).map(([name, shape]) => [name, schemaInFile(shape)]),
        ),
      },
    },
  ],
  description: 'The recording, relative to this file.',
}

/**
 * Parses the text of columns, such as `time=Date,open=2,volume=none`. Returns the columns, or what is wrong with the
 * text.
 */
export function parseColumns(text: string): ColumnNames | string {
  const columns: Partial<Record<ColumnKind, string>> = {}
  for (const pair of text.split(',')) {
    const split = pair.indexOf('=')
    const [word, name] = [pair.slice(0, Math.max(0, split)).trim(), pair.slice(split + 1).trim()]
    const role = columnRoles.find((known) => known === word)
    if (role === undefined || name === '')
      return `expected pairs such as time=Date,open=2 with ${columnRoles.join(', ')}, found "${pair.trim()}"`
    columns[role] = name
  }
  return columns
}

/** Returns a text that is equal for options that read alike; empty for the usual ones. */
export function formatFileOptions(options: FileOptions): string {
  const given = Object.entries(options).filter(
    ([name, value]) => value !== undefined && value !== false && !(name === 'volumeIn' && value === 'asset'),
  )
  if (given.length === 0) return ''
  return JSON.stringify(Object.fromEntries(given.sort(([left], [right]) => (left < right ? -1 : 1))))
}
