import { type Attributes, element, escapeText } from './svg-text.ts'

/* The few elements of which pages of figures are made. Texts are escaped here; parameters called markup are not. */

/** A section of a page, which the page's navigation links to. */
export interface Section {
  readonly id: string
  readonly title: string
  /** The content of the section, as markup. */
  readonly body: string
}

/** Returns the markup of a section with its heading. */
export function sectionMarkup({ id, title, body }: Section): string {
  const heading = element('h2', { id: `${id}-heading` }, escapeText(title))
  return `<section aria-labelledby="${escapeText(id)}-heading" id="${escapeText(id)}">${heading}${body}</section>\n`
}

/** Returns the markup of a paragraph of text. */
export const paragraph = (text: string, className = ''): string =>
  element('p', className === '' ? {} : { class: className }, escapeText(text))

/** The content of a table cell: a text, or a text with a style, a link or a reason. */
export type Cell = string | MarkedCell

/** The content of a table cell with more than a text. */
export interface MarkedCell {
  readonly text: string
  /** The reason for the text, shown beside it in parentheses. */
  readonly reason?: string | null
  /** The style: code, or a check that passed or failed. */
  readonly as?: 'code' | 'pass' | 'fail'
  readonly href?: string
}

/** A table for `tableMarkup`. */
export interface TableData {
  readonly caption: string
  readonly head: readonly string[]
  /** The rows of cells. The first cell of a row is its name. */
  readonly rows: readonly (readonly Cell[])[]
  /** The columns of figures, which are aligned to the right; all but the first by default. */
  readonly figures?: readonly number[]
  /** Whether the page's script lets people sort the table and save it as CSV. */
  readonly isList?: boolean
  /** Whether texts may be broken into lines, so that the table stays within the page; figures never are. */
  readonly isWrapped?: boolean
}

/** Returns the markup of a table in a box that scrolls on narrow screens, by keyboard too. */
export function tableMarkup({
  caption,
  head,
  rows,
  figures,
  isList = false,
  isWrapped = false,
}: TableData): string {
  const isFigure = (column: number): boolean =>
    figures === undefined ? column > 0 : figures.includes(column)
  const headCells = head.map((text, column) =>
    element('th', { scope: 'col', ...alignment(isFigure(column)) }, escapeText(text)),
  )
  const bodyRows = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const attributes = alignment(isFigure(column))
      const markup = isWrapped ? keepInstantsWhole(cellMarkup(cell)) : cellMarkup(cell)
      return column === 0
        ? element('th', { scope: 'row', ...attributes }, markup)
        : element('td', attributes, markup)
    })
    return `<tr>${cells.join('')}</tr>\n`
  })
  const className = isList ? ' class="list"' : isWrapped ? ' class="wrapped"' : ''
  const table = `<table${className}><caption>${escapeText(caption)}</caption><thead><tr>${headCells.join('')}</tr></thead><tbody>\n${bodyRows.join('')}</tbody></table>`
  return element('div', { 'aria-label': caption, class: 'scroll', role: 'region', tabindex: '0' }, table)
}

/** Returns the markup of a command to be copied, in a box that scrolls. `name` is its label for screen readers. */
export function codeMarkup(name: string, text: string): string {
  const attributes = { 'aria-label': name, role: 'region', tabindex: '0' }
  return element('pre', attributes, element('code', {}, escapeText(text)))
}

/** Returns the markup of a section that opens on a click on its summary. `body` is markup. */
export function detailsMarkup(summary: string, body: string): string {
  return `<details><summary>${escapeText(summary)}</summary>${body}</details>`
}

/** Returns the markup of names and their values, as a list of two columns. */
export function factsMarkup(facts: readonly (readonly [name: string, value: string])[]): string {
  const items = facts.map(
    ([name, value]) => `<div><dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd></div>`,
  )
  return `<dl class="facts">${items.join('')}</dl>`
}

/** Returns the markup of names, their values and what these rest on, as a grid of cards. */
export function cardsMarkup(
  cards: readonly (readonly [name: string, value: Cell, basis?: string])[],
): string {
  const items = cards.map(([name, value, basis]) => {
    const below = basis === undefined ? '' : `<dd class="why">${escapeText(basis)}</dd>`
    return `<div><dt>${escapeText(name)}</dt><dd>${cellMarkup(value)}</dd>${below}</div>`
  })
  return `<dl class="cards">${items.join('')}</dl>`
}

function cellMarkup(cell: Cell): string {
  if (typeof cell === 'string') return escapeText(cell)
  const { text, reason, as, href } = cell
  const link = href === undefined ? escapeText(text) : element('a', { href }, escapeText(text))
  const marked = as === undefined ? link : as === 'code' ? element('code', {}, link) : spanMarkup(link, as)
  return typeof reason === 'string' ? `${marked} ${spanMarkup(`(${escapeText(reason)})`, 'why')}` : marked
}

/** Marks the dates and instants in a markup, so that no line breaks within one. */
const keepInstantsWhole = (markup: string): string =>
  markup.replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, (instant) => spanMarkup(instant, 'whole'))

const spanMarkup = (body: string, className: string): string => element('span', { class: className }, body)

const alignment = (isFigure: boolean): Attributes => (isFigure ? { class: 'figure' } : {})
