/* Parsing that tables of candles and of trades share: names of columns, numbers, booleans. */

/** Returns whether a row has only empty fields, which archives put between or after their rows. */
export function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => field.trim() === '')
}

/** Returns whether a field is a plain decimal, with or without an exponent. */
export function isNumber(field: string): boolean {
  return numberPattern.test(field.trim())
}

/** Returns the number of a field, or NaN for a missing field, other text, or a number that is too large, such as 1e999. */
export function readNumber(field: string | undefined): number {
  return field !== undefined && isNumber(field) ? toFinite(field) : Number.NaN
}

function toFinite(text: string): number {
  const value = Number(text)
  return Number.isFinite(value) ? value : Number.NaN
}

/**
 * Returns a hint for an error message about a field that has digits but is not a plain number: it may have
 * separators, currency signs or decimal commas.
 */
export function numberHint(field: string | undefined): string {
  return field !== undefined && /\d/.test(field) && !isNumber(field) ? '; numbers are written as 1234.5' : ''
}

/** Returns the boolean of a field (`true`, `True`, `1` and their opposites), or null for other text. */
export function readBoolean(field: string | undefined): boolean | null {
  const text = (field ?? '').trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}

/**
 * Returns a column's name in our spelling: `openPrice`, `<Open Price>` and `open_price` all become
 * `open_price`.
 */
export function normalizeName(name: string): string {
  return name
    .trim()
    .replace(/^\ufeff/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Returns the column of the first of the wanted names that exists, else -1. */
export function findColumn(names: readonly string[], wanted: readonly string[]): number {
  for (const name of wanted) {
    const place = names.indexOf(name)
    if (place >= 0) return place
  }
  return -1
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** Returns whether a field says that there is no figure: blank, `NaN`, `null`, `None`, `N/A` or `-`. */
export function isMissing(field: string | undefined): boolean {
  return field === undefined || /^(|nan|null|none|n\/?a|-)$/i.test(field.trim())
}

/**
 * Returns whether a field is a figure, in whatever way it is written: with thousands, decimal commas, a sign of money,
 * per cent or thousands (`1,234.5`, `1.234,5`, `$95`, `-3.76%`, `125.63K`). Names never are.
 */
export function isFigure(field: string): boolean {
  return isNumber(field) || figurePattern.test(field.trim())
}

const figurePattern = /^[+-]?[$€£¥]?[+-]?(\d[\d.,'’\s]*|[.,]\d+)(e[+-]?\d+)?\s?(%|[kmbt]|bn|mio|[$€£¥])?$/i

/** How a table writes its numbers. */
export interface NumberStyle {
  /** What stands before the decimals. */
  readonly decimal: 'point' | 'comma'
  /** Whether the other sign separates thousands in some of them. */
  readonly hasThousands: boolean
}

const plainNumbers: NumberStyle = { decimal: 'point', hasThousands: false }

/**
 * Finds how fields write their numbers; null where they fit both ways: `95.123` may be 95 or 95 thousand. Choice: three
 * decimals behind a point are decimals, except in a table with semicolons, which programs write where the comma stands
 * before decimals.
 */
export function findNumberForm(fields: Iterable<string>, hasSemicolons: boolean): NumberStyle | null {
  const seen = { point: 0, comma: 0, eitherPoint: 0, eitherComma: 0, thousands: 0 }
  for (const given of fields) {
    const field = given.trim().replace(/^[+-]/, '')
    if (/^\d+$/.test(field) || isMissing(field)) continue
    if (/^[1-9]\d{0,2}\.\d{3}$/.test(field)) seen.eitherPoint += 1
    else if (/^[1-9]\d{0,2},\d{3}$/.test(field)) seen.eitherComma += 1
    else if (numberPattern.test(field)) seen.point += 1
    else if (/^\d+,\d+$/.test(field)) seen.comma += 1
    else if (/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(field)) {
      seen.point += 1
      seen.thousands += 1
    } else if (/^[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/.test(field)) {
      seen.comma += 1
      seen.thousands += 1
    }
  }
  if (seen.point > 0 && seen.comma > 0) return null
  if (seen.comma > 0) return { decimal: 'comma', hasThousands: seen.thousands + seen.eitherPoint > 0 }
  if (seen.point > 0) return { decimal: 'point', hasThousands: seen.thousands + seen.eitherComma > 0 }
  const isOpen = seen.eitherComma > 0 || (seen.eitherPoint > 0 && hasSemicolons)
  return isOpen ? null : plainNumbers
}

/** Creates the reader of fields that have a form; it returns NaN for other text. */
export function createNumberReader({
  decimal,
  hasThousands,
}: NumberStyle): (field: string | undefined) => number {
  if (decimal === 'point' && !hasThousands) return readNumber
  const [point, comma] = decimal === 'point' ? ['\\.', ','] : [',', '\\.']
  const form = new RegExp(`^[+-]?(\\d+|\\d{1,3}(${comma}\\d{3})+)?(${point}\\d*)?([eE][+-]?\\d+)?$`)
  return (field) => {
    const text = field?.trim() ?? ''
    if (!/\d/.test(text) || !form.test(text)) return Number.NaN
    return toFinite(
      decimal === 'point' ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.'),
    )
  }
}
