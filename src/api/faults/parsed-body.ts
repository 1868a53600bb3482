import { parseJson } from '../json.ts'

/** What the JSON text of a canned answer holds; null where it is no object and no list. */
export function parsedBody(text: string): object | null {
  const value = parseJson(text)
  return typeof value === 'object' ? value : null
}
