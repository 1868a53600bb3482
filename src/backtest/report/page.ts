import { createHash } from 'node:crypto'
import { element, escapeText } from '../../charts/svg-text.ts'
import { type Section, sectionMarkup } from './html.ts'
import type { PageAssets } from './page-assets.ts'
import { pageStyle } from './page-style.ts'
import type { ZoomChart } from './zoom-chart.ts'

export interface ReportPage {
  readonly title: string
  /** Markup before the sections. */
  readonly lead: string
  readonly sections: readonly Section[]
  /** The charts that can be zoomed, by the ids of their figures. */
  readonly zooms: readonly ZoomChart[]
  /** A line at the end. */
  readonly foot: string
}

/**
 * One file that needs no other: text, tables and pictures can be read as they are, scripts only add zooming. The page
 * loads nothing, and its policy makes the browser enforce that.
 */
export function pageText(page: ReportPage, assets: PageAssets): string {
  const style = `${pageStyle}\n${assets.plotStyle}`
  const data = dataText(page.zooms)
  const scripts = page.zooms.length === 0 ? [] : [assets.plotScript, assets.pageScript]
  const policy = [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(sourceHash).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const sections = page.sections.map(sectionMarkup).join('')
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
${sections}</main>
<footer>${element('p', { class: 'soft' }, escapeText(page.foot))}</footer>
${scripts.length === 0 ? '' : `<script type="application/json" id="zoom-data">${data}</script>\n`}${scripts.map((script) => `<script>${script}</script>\n`).join('')}</body>
</html>
`
}

/** JSON in which no HTML parser can find the end of the script. */
function dataText(zooms: readonly ZoomChart[]): string {
  return JSON.stringify(zooms)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
