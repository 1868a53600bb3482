import type { ColumnSource } from 'hyparquet-writer'
import { element } from '../../numeric/columns.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { partRows, type ResultColumn, type TableParts } from './result-tables.ts'

/** The rows that become text at a time. */
const rowsAtOnce = 1000

/**
 * Yields a table as CSV (RFC 4180), a piece at a time, because the text of a long run does not fit into one string.
 * Instants are ISO 8601, so their columns are called `at` for `atMillis`; what is missing is an empty field.
 */
export function* formatCsv(table: Pick<TableParts, 'parts'>): Generator<string> {
  let hasNames = false
  for (const { columns, rows } of table.parts(rowsAtOnce)) {
    if (!hasNames) yield formatLine([...columns].map(([name, column]) => nameInFile(name, column)))
    hasNames = true
    const list = [...columns.values()]
    for (let from = 0; from < rows; from += rowsAtOnce) {
      let lines = ''
      for (let row = from; row < Math.min(rows, from + rowsAtOnce); row += 1)
        lines += formatLine(list.map((column) => formatField(column, row)))
      yield lines
    }
  }
}

/** Formats a line of CSV. A field with a comma, a quote or a line end is quoted, and its quotes are doubled. */
const formatLine = (fields: readonly string[]): string =>
  `${fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\n`

/**
 * Creates a Parquet file of a table. Instants are timestamps in UTC, so their columns are called `at` for `atMillis`;
 * what is missing is null. The same table gives the same bytes, in however many parts it comes.
 *
 * The writer is an ES module that few runs need, so it is loaded on demand.
 */
export async function createTableParquet(table: Pick<TableParts, 'parts'>): Promise<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const bytes = new ByteWriter()
  let writer: InstanceType<typeof ParquetWriter> | null = null
  for (const { columns } of table.parts()) {
    const columnData = [...columns].map(([name, column]) => ({
      name: nameInFile(name, column),
      ...toSource(column),
    }))
    // A part is a group of rows in the file. A table in one part is cut into the groups that it would have in several.
    const rowGroupSize = writer === null ? [partRows.first, partRows.later] : partRows.later
    writer ??= new ParquetWriter({
      writer: bytes,
      schema: schemaFromColumnData({ columnData }),
      createdBy: 'otcsim',
    })
    writer.write({ columnData, rowGroupSize })
  }
  writer?.finish()
  return new Uint8Array(bytes.getBuffer())
}

const nameInFile = (name: string, { kind }: ResultColumn): string =>
  kind === 'instant' ? name.replace(/Millis$/, '') : name

function formatField(column: ResultColumn, row: number): string {
  if (column.kind === 'text') return column.values[row] ?? ''
  if (column.kind === 'flag') return String(column.values[row] ?? '')
  const value = element(column.values, row)
  if (Number.isNaN(value)) return ''
  return column.kind === 'instant' ? millisToIso(value) : String(value)
}

function toSource(column: ResultColumn): Omit<ColumnSource, 'name'> {
  if (column.kind === 'text') return { data: [...column.values], type: 'STRING', nullable: true }
  if (column.kind === 'flag') return { data: [...column.values], type: 'BOOLEAN', nullable: true }
  const values = Array.from(column.values, (value) => (Number.isNaN(value) ? null : value))
  if (column.kind === 'number') return { data: values, type: 'DOUBLE', nullable: true }
  const dates = values.map((value) => (value === null ? null : new Date(value)))
  return { data: dates, type: 'TIMESTAMP', nullable: true }
}
