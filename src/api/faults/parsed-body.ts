/** What the JSON text of a canned answer holds; null where it is no object and no list. */
export function parsedBody(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
