/** The values in a text of differences; null for a gap. */
export function readDifferences(text: string): readonly (number | null)[] {
  const values: (number | null)[] = []
  let value = 0
  if (text === '') return values
  for (const part of text.split(',')) {
    const [step = '', times = '1'] = part.split('*')
    for (let left = Number(times); left > 0; left -= 1) {
      if (step !== 'n') value += Number(step)
      values.push(step === 'n' ? null : value)
    }
  }
  return values
}

/** A figure by its value, whatever its unit; anything else by its text. */
export function parseSortKey(text: string): number | string {
  const figure = /^([−-]?[0-9][0-9,]*(?:\.[0-9]+)?)(?: (?:USD|%|bp))?$/.exec(text)?.[1]
  return figure === undefined ? text : Number(figure.replaceAll(',', '').replace('−', '-'))
}

/** RFC 4180; figures as plain numbers. */
export function formatCsvCell(text: string): string {
  const key = parseSortKey(text)
  if (typeof key === 'number') return String(key)
  return /[",\r\n]/.test(key) ? `"${key.replaceAll('"', '""')}"` : key
}
