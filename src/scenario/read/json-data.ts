/** Plain JSON data: what snapshots hold. */
export type JsonData =
  | null
  | boolean
  | number
  | string
  | readonly JsonData[]
  | { readonly [key: string]: JsonData }

/** A value as JSON data; whatever is not JSON becomes null. */
export function jsonDataOf(value: unknown): JsonData {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(jsonDataOf)
  if (typeof value !== 'object') return null
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonDataOf(item)]))
}

export function isDataRecord(data: JsonData | undefined): data is { readonly [key: string]: JsonData } {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}
