/**
 * Decodes a series from its differences, separated by commas; `n` is a gap and becomes null, and `5*3` stands for three
 * times 5.
 */
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

/** Returns the value of a figure, whatever its unit, or the text itself where it is no figure. */
export function parseSortKey(text: string): number | string {
  const figure = /^([−-]?[0-9][0-9,]*(?:\.[0-9]+)?)(?: (?:USD|%|bp))?$/.exec(text)?.[1]
  return figure === undefined ? text : Number(figure.replaceAll(',', '').replace('−', '-'))
}

/** Formats a cell of a CSV file; figures become plain numbers. Spec: RFC 4180. */
export function formatCsvCell(text: string): string {
  const key = parseSortKey(text)
  if (typeof key === 'number') return String(key)
  return /[",\r\n]/.test(key) ? `"${key.replaceAll('"', '""')}"` : key
}
