import type { BrowserDocument, BrowserElement } from './plot.ts'

/* Lists of a report: sorted by the column whose head is pressed, and written as CSV. */

/** Gives every list of the page its buttons. */
export function enableLists(document: BrowserDocument, saved: (name: string, text: string) => void): void {
  for (const table of document.querySelectorAll('table.list')) {
    const body = table.querySelector('tbody')
    if (body === null) continue
    const heads = [...table.querySelectorAll('thead th')]
    for (const [column, head] of heads.entries()) addSorting(document, heads, head, body, column)
    const button = document.createElement('button')
    button.setAttribute('type', 'button')
    button.textContent = 'CSV'
    button.addEventListener('click', () => saved('fills.csv', csvText(table)))
    table.querySelector('caption')?.append(button)
  }
}

function addSorting(
  document: BrowserDocument,
  heads: readonly BrowserElement[],
  head: BrowserElement,
  body: BrowserElement,
  column: number,
): void {
  const button = document.createElement('button')
  button.setAttribute('type', 'button')
  button.textContent = head.textContent
  head.textContent = ''
  head.append(button)
  let isFalling = false
  button.addEventListener('click', () => {
    isFalling = !isFalling
    for (const other of heads) other.setAttribute('aria-sort', 'none')
    head.setAttribute('aria-sort', isFalling ? 'descending' : 'ascending')
    const rows = [...body.querySelectorAll('tr')].map((row) => ({
      row,
      key: sortKey(cellTexts(row)[column] ?? ''),
    }))
    rows.sort((left, right) => compareKeys(left.key, right.key) * (isFalling ? -1 : 1))
    body.append(...rows.map(({ row }) => row))
  })
}

const cellTexts = (row: BrowserElement): readonly string[] =>
  [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent ?? '')

/** A figure by its value, whatever its unit; anything else by its text. */
export function sortKey(text: string): number | string {
  const figure = /^([−-]?[0-9][0-9,]*(?:\.[0-9]+)?)(?: (?:USD|%|bp))?$/.exec(text)?.[1]
  return figure === undefined ? text : Number(figure.replaceAll(',', '').replace('−', '-'))
}

function compareKeys(left: number | string, right: number | string): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0
}

/** RFC 4180; figures as plain numbers, in the order in which the rows stand. */
function csvText(table: BrowserElement): string {
  const lines = [...table.querySelectorAll('tr')].map((row) => cellTexts(row).map(csvCell).join(','))
  return `${lines.join('\r\n')}\r\n`
}

export function csvCell(text: string): string {
  const key = sortKey(text)
  if (typeof key === 'number') return String(key)
  return /[",\r\n]/.test(key) ? `"${key.replaceAll('"', '""')}"` : key
}
