/** JSON laid out over several lines for people; other text, and JSON that was cut, as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
