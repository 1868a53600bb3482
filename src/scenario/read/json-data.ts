/** Plain JSON data: what snapshots hold. */
export type JsonData =
  | null
  | boolean
  | number
  | string
  | readonly JsonData[]
  | { readonly [key: string]: JsonData }

export function isDataRecord(data: JsonData | undefined): data is { readonly [key: string]: JsonData } {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}
