import { chartStyle } from './style.ts'
import { escapeText } from './svg-text.ts'

/** A page of pictures and tables. All texts are plain; figures are `<svg>` elements as this room draws them. */
export interface Page {
  readonly title: string
  /** Facts under the title: name and value. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly sections: readonly Section[]
}

export interface Section {
  readonly heading: string
  readonly note?: string
  readonly figures: readonly string[]
  readonly table?: Table
}

export interface Table {
  readonly caption: string
  /** The first column names the row. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** One self-contained HTML file: no script, no font, no address; light, dark and print. */
export function drawPage({ title, facts, sections }: Page): string {
  const rows = facts.map(([name, value]) => `<dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeText(title)}</title>
<style>
${chartStyle}
${pageStyle}
</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
<dl>${rows.join('')}</dl>
${sections.map(drawSection).join('\n')}
</main>
</body>
</html>
`
}

function drawSection({ heading, note, figures, table }: Section): string {
  const parts = [
    `<section>`,
    `<h2>${escapeText(heading)}</h2>`,
    ...(note === undefined ? [] : [`<p>${escapeText(note)}</p>`]),
    ...figures.map((figure) => `<figure>${figure}</figure>`),
    ...(table === undefined ? [] : [drawTable(table)]),
    '</section>',
  ]
  return parts.join('\n')
}

function drawTable({ caption, columns, rows }: Table): string {
  const head = columns.map((name) => `<th scope="col">${escapeText(name)}</th>`).join('')
  const body = rows.map(([name = '', ...cells]) => {
    const rest = cells.map((cell) => `<td>${escapeText(cell)}</td>`).join('')
    return `<tr><th scope="row">${escapeText(name)}</th>${rest}</tr>`
  })
  return `<details><summary>${escapeText(caption)}</summary><div class="wide"><table><thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div></details>`
}

const pageStyle = `body{background:var(--chart-ground);color:var(--chart-ink);font:16px/1.5 system-ui,sans-serif;margin:0}
main{margin:0 auto;max-width:56rem;padding:1rem}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:1.5rem 0 .25rem}p{color:var(--chart-soft);margin:.25rem 0}
dl{display:grid;gap:.1rem 1rem;grid-template-columns:max-content 1fr;margin:.5rem 0}
dt{color:var(--chart-soft)}dd{margin:0;overflow-wrap:anywhere}
figure{margin:.5rem 0}details{margin:.5rem 0}summary{cursor:pointer}.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--chart-grid);padding:.15rem .75rem .15rem 0;text-align:right}
th:first-child{text-align:left}
@media print{details{display:block}section{break-inside:avoid}}`
