import { type Section, sectionMarkup } from './html.ts'
import { chartStyle } from './style.ts'
import { element, escapeText } from './svg-text.ts'

/** A page of figures: a lead, then sections of text, tables and pictures. */
export interface Page {
  readonly title: string
  /** The markup before the sections. */
  readonly lead: string
  readonly sections: readonly Section[]
  /** The text of the footer. */
  readonly foot?: string
  readonly script?: PageScript
}

/** The scripts that make a page's pictures interactive. The page is complete without them. */
export interface PageScript {
  readonly style: string
  readonly scripts: readonly string[]
  /** The data that the scripts read: a JSON element with this id. */
  readonly data: { readonly id: string; readonly value: unknown }
}

/**
 * Renders a page as one self-contained HTML file. Text, tables and pictures can be read without scripts. The page loads
 * nothing, which its content security policy makes the browser enforce. `sourceHash` returns the policy's source for a
 * script or style: `'sha256-...'`.
 */
export function renderPage(page: Page, sourceHash: (text: string) => string): string {
  const style = page.script === undefined ? pageStyle : `${pageStyle}\n${page.script.style}`
  const scripts = page.script?.scripts ?? []
  const policy = [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(sourceHash).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const links = page.sections.map(
    ({ id, title }) => `<li>${element('a', { href: `#${id}` }, escapeText(title))}</li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeText(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(page.title)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header>
${page.lead}
<nav aria-label="Sections"><ul>${links.join('')}</ul></nav>
</header>
<main id="main">
${nameRegionsApart(page.sections.map(sectionMarkup).join(''))}</main>
${page.foot === undefined ? '' : `<footer>${element('p', { class: 'soft' }, escapeText(page.foot))}</footer>\n`}${scriptsMarkup(page.script)}</body>
</html>
`
}

/** Numbers the second and later of regions with one name, because people move from one to another by their names. */
function nameRegionsApart(markup: string): string {
  const counts = new Map<string, number>()
  return markup.replaceAll(/aria-label="([^"]*)"(?=[^>]* role="region")/g, (whole, name: string) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? whole : `aria-label="${name} (${count})"`
  })
}

function scriptsMarkup(script: PageScript | undefined): string {
  if (script === undefined) return ''
  const { data, scripts } = script
  return [
    `<script type="application/json" id="${escapeText(data.id)}">${encodeScriptData(data.value)}</script>\n`,
    ...scripts.map((text) => `<script>${text}</script>\n`),
  ].join('')
}

/** Encodes a value as JSON in which no HTML parser can find the end of the script element. */
function encodeScriptData(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** The style of all pages of figures. Its colours are those of the charts: light or dark like the system, light on paper. */
const pageStyle: string = [
  chartStyle,
  '*{box-sizing:border-box}',
  'body{background:var(--chart-ground);color:var(--chart-ink);font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:940px;padding:1rem}',
  'h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 .75rem;overflow-wrap:anywhere}h2{border-bottom:1px solid var(--chart-grid);font-size:1.15rem;margin:2.25rem 0 .75rem;padding-bottom:.25rem}',
  'h3{font-size:1rem;margin:1.25rem 0 .5rem}p{margin:.5rem 0;max-width:46rem}',
  '.soft,.why,caption,dt{color:var(--chart-soft)}.why{font-size:.85em}',
  '.verdict{font-size:1.1rem}.warning{border-left:3px solid var(--chart-2);padding-left:.6rem}',
  '.pass::before{content:"✓ ";color:var(--chart-3)}.fail::before{content:"✗ ";color:var(--chart-2)}',
  'th button{border:0;font-weight:inherit;padding:0;text-decoration:underline dotted}caption button{margin-left:.75rem}th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}',
  'a{color:var(--chart-1)}:focus-visible{outline:2px solid var(--chart-1);outline-offset:2px}',
  '.skip{left:-99rem;position:absolute}.skip:focus{left:1rem}',
  'nav{margin-top:.5rem}nav ul{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:0;padding:0}nav a{display:inline-block;padding:.15rem 0}',
  '.cards{display:grid;gap:.5rem;grid-template-columns:repeat(5,1fr);margin:1rem 0}@media (max-width:860px){.cards{grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr))}}',
  '.cards>div{border:1px solid var(--chart-grid);border-radius:6px;padding:.5rem .7rem}.cards dt{font-size:.85rem}.cards dd{font-size:1.15rem;font-variant-numeric:tabular-nums;margin:0}.cards dd.why,.cards .why{display:block;font-size:.8rem;line-height:1.4}',
  '.facts{display:grid;gap:.15rem 1.5rem;grid-template-columns:repeat(auto-fill,minmax(19rem,1fr));margin:1rem 0}.facts>div{display:flex;gap:.5rem}.facts dt{flex:none;min-width:6.5rem}.facts dd{margin:0;overflow-wrap:anywhere}',
  '.scroll{margin:.75rem 0;overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;width:100%}',
  'caption{padding:.2rem 0;text-align:left}th,td{border-bottom:1px solid var(--chart-grid);padding:.2rem .6rem .2rem 0;text-align:left;vertical-align:top;white-space:nowrap}th{font-weight:500}thead th{color:var(--chart-soft)}.figure{text-align:right}',
  ':is(td,th) code{overflow-wrap:break-word;white-space:normal}th:has(code),.why{white-space:normal}.figure .why{display:inline-block;min-width:7rem}.whole{white-space:nowrap}.wrapped :is(td,th):not(td.figure){white-space:normal}',
  '.tables{display:grid;gap:0 2rem;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr))}.tables th,.tables td{white-space:normal}',
  'figure{margin:1rem 0}.picture{overflow-x:auto}figcaption{color:var(--chart-soft);font-size:.9rem}',
  'code,pre{font:13px ui-monospace,monospace}pre{border:1px solid var(--chart-grid);border-radius:6px;overflow-wrap:anywhere;padding:.6rem;white-space:pre-wrap}summary{cursor:pointer;padding:.25rem 0}',
  'button{background:none;border:1px solid var(--chart-soft);border-radius:5px;color:var(--chart-ink);cursor:pointer;font:inherit;font-size:.85rem;padding:.1rem .6rem}',
  '.uplot{color:var(--chart-ink);margin-top:.5rem}.u-legend{font-size:13px}.u-legend :is(th,td){border:0}.u-legend .u-value{display:inline-block;min-width:4.5rem;text-align:left}.u-select{background:var(--chart-ink);opacity:.12}',
  // A sheet of A4 is narrower, and shows charts whole.
  '@media screen and (max-width:700px){.picture .chart{max-width:none}}@media (max-width:700px){.tables{grid-template-columns:1fr}body{padding:.75rem}}',
  '@page{margin:14mm}@media print{.live{display:none}.picture[hidden]{display:block}body{font-size:11px;max-width:none}figure,tr,.cards>div{break-inside:avoid}button,nav,.skip{display:none}a{color:inherit}.scroll,.picture{overflow:visible}code,pre,figcaption{font-size:10px}table,:is(td,th) code{font-size:8.5px}:is(td,th) code{overflow-wrap:anywhere}th,td{padding-right:.35rem;white-space:normal}.figure,.u-value{white-space:nowrap}.figure:has(.why){white-space:normal}.cards{grid-template-columns:repeat(5,1fr)}.cards dd{font-size:1rem}h2,h3,h2+p,figcaption,caption,thead{break-after:avoid}.tables table{break-inside:avoid}.pass,.fail{white-space:nowrap}summary{list-style:none}details:not([open])>summary::after{color:var(--chart-soft);content:" (closed: what is open on the screen is printed)"}}',
].join('\n')
