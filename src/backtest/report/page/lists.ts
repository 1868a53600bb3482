import { formatCsvCell, parseSortKey } from './texts.ts'

export function enableLists(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('table.list')) {
    const heads = [...table.querySelectorAll<HTMLElement>('thead th')]
    for (const [column, head] of heads.entries()) {
      const button = createButton(head.textContent ?? '', () => sortTable(table, heads, column))
      head.replaceChildren(button)
    }
    table.caption?.append(
      createButton('CSV', () => saveFile(`${table.closest('section')?.id ?? 'list'}.csv`, formatCsv(table))),
    )
  }
}

function createButton(text: string, act: () => void): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', act)
  return button
}

function sortTable(table: HTMLTableElement, heads: readonly HTMLElement[], column: number): void {
  const isFalling = heads[column]?.ariaSort !== 'descending'
  for (const [index, head] of heads.entries())
    head.ariaSort = index !== column ? 'none' : isFalling ? 'descending' : 'ascending'
  for (const body of table.tBodies) {
    const rows = [...body.rows].map((row) => ({
      row,
      key: parseSortKey(row.cells[column]?.textContent ?? ''),
    }))
    rows.sort((left, right) => compareKeys(left.key, right.key) * (isFalling ? -1 : 1))
    body.append(...rows.map(({ row }) => row))
  }
}

function compareKeys(left: number | string, right: number | string): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0
}

/** Formats a table as CSV, with its rows in the order that is shown. */
const formatCsv = (table: HTMLTableElement): string =>
  [...table.rows]
    .map((row) => `${[...row.cells].map((cell) => formatCsvCell(cell.textContent ?? '')).join(',')}\r\n`)
    .join('')

function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`
  link.download = name
  link.click()
}
