import { isObject, parseJson } from '../../api/json.ts'

/*
 * Tables in JSON: lists of lists (ccxt, freqtrade, exchanges' interfaces), lists of records, records of columns (pandas),
 * one of them inside of an answer, and JSON lines.
 */

type Rows = readonly (readonly string[])[]

/** Reads the table of a JSON text, or of JSON lines. Null when it holds none, or more than one. */
export function readJsonTable(text: string): Rows | null {
  const whole = parseJson(text)
  if (whole !== undefined) return findTable(whole)
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const values = lines.map((line) => parseJson(line))
  return values.includes(undefined) ? null : toRows(values)
}

/** How deep a table may lie inside of an answer. */
const maximumDepth = 4

function findTable(value: unknown, depth = 0): Rows | null {
  if (Array.isArray(value)) return toRows(value)
  if (!isObject(value) || depth > maximumDepth) return null
  const columns = readColumns(value)
  if (columns !== null) return columns
  const found = Object.values(value).flatMap((item) => {
    const rows = findTable(item, depth + 1)
    return rows === null ? [] : [rows]
  })
  const [only] = found
  return only !== undefined && found.length === 1 ? only : null
}

/** Converts lists of equal kinds of items to rows; null for lists of anything but lists or records. */
function toRows(items: readonly unknown[]): Rows | null {
  if (items.length === 0) return null
  const lists = items.filter((item): item is readonly unknown[] => Array.isArray(item))
  if (lists.length === items.length) return lists.map((list) => list.map(toField))
  const records = items.filter(isRecord)
  if (records.length < items.length) return null
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  return [names, ...records.map((record) => names.map((name) => toField(record[name])))]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value)

/** Reads a record of columns, each a list or a record by index, all of one length; null for other records. */
function readColumns(record: object): Rows | null {
  const columns = Object.entries(record)
  const isByIndex = columns.every(([, column]) => isRecord(column))
  const isByPlace = columns.every(([, column]) => Array.isArray(column))
  if (columns.length < 3 || !(isByIndex || isByPlace)) return null
  const lists = columns.map(([, column]): readonly unknown[] =>
    Array.isArray(column) ? column : Object.values(column),
  )
  const [first = []] = lists
  if (lists.some(({ length }) => length !== first.length) || first.some((item) => isObject(item))) return null
  const names = columns.map(([name]) => name)
  const index = isByIndex ? Object.keys(columns[0]?.[1] ?? {}) : null
  const header = index === null ? names : ['', ...names]
  return [
    header,
    ...first.map((_, place) => {
      const fields = lists.map((list) => toField(list[place]))
      return index === null ? fields : [index[place] ?? '', ...fields]
    }),
  ]
}

/** Writes a value as a field of a table; records and lists inside of a row have no text. */
const toField = (value: unknown): string =>
  value === null || value === undefined || typeof value === 'object' ? '' : String(value)
