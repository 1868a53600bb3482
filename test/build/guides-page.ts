import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { extractGuide, guides } from '../../src/cli/guides.ts'

/** The guides as one page that loads nothing from elsewhere: a list of all sections, then an article for each guide. */
export function guidesPage(root: string): string {
  const articles = guides.map((guide) => {
    const sections = sectionsOf(
      extractGuide(readFileSync(`${root}/${guide.file}`, 'utf8'), guide.topic),
      guide,
    )
    const list = sections
      .slice(1)
      .map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`)
      .join('')
    return {
      line: `<li><a href="#${guide.topic}">${guide.title}</a>${list === '' ? '' : `<ul>${list}</ul>`}</li>`,
      html: `<article>${sections.map(({ id, html }) => `<section id="${id}">\n${html}</section>`).join('\n')}</article>`,
    }
  })
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>otcsim: guides</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <script src="theme.js"></script>
    <link rel="stylesheet" href="guides.css">
    <script src="guides.js" defer></script>
  </head>
  <body>
    <header class="top bar">
      <h1 class="name">otcsim guides</h1>
      <label for="words">Search <input id="words" type="search" autocomplete="off"></label>
      <p id="found" role="status"></p>
      <theme-switch class="last"></theme-switch>
      <a href="../console/">Console</a>
      <a href="../docs/">API docs</a>
    </header>
    <nav aria-label="Sections"><ul>${articles.map(({ line }) => line).join('\n')}</ul></nav>
    <main>
      <p id="nothing" hidden>Nothing found: no section has <span></span>. <button type="button">Show all sections</button></p>
${articles.map(({ html }) => html).join('\n')}
    </main>
  </body>
</html>
`
}

interface Section {
  readonly id: string
  readonly title: string
  readonly html: string
}

/** The first section is what stands before the first heading of the second level. */
function sectionsOf(
  text: string,
  guide: { readonly topic: string; readonly file: string },
): readonly Section[] {
  return text.split(/^(?=## )/m).map((part, place) => {
    const title = /^#+ (.*)$/m.exec(part)?.[1] ?? ''
    return {
      id: place === 0 ? guide.topic : `${guide.topic}-${anchorOf(title)}`,
      title,
      html: markdownOf(guide.file, title).parse(part, { async: false }),
    }
  })
}

function markdownOf(file: string, title: string): Marked {
  let tables = 0
  return new Marked({
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(href, file)
        return target === null ? text : `<a href="${target}">${text}</a>`
      },
      // A wide table scrolls by itself, and can be scrolled by keyboard.
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ text, tokens }) => `<${text === '' ? 'td' : tag}>${this.parser.parseInline(tokens)}</${text === '' ? 'td' : tag}>`).join('')}</tr>`
        tables += 1
        const name = `${title}, table ${tables}: ${token.header.map(({ text }) => text).join(', ')}`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0" role="region" aria-label="${name.replace(/[^\w ,:]/g, '')}"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
      code({ text, lang }: Tokens.Code) {
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
        return `<pre tabindex="0"><code data-language="${lang ?? ''}">${escaped}\n</code></pre>\n`
      },
    },
  })
}

/** Links between guides become links of the page; what else is in the repository has no address here. */
function targetOf(href: string, file: string): string | null {
  if (/^https?:/.test(href)) return href
  const [path = '', anchor = ''] = href.split('#')
  const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path))
  const guide = guides.find((candidate) => candidate.file === target)
  if (guide === undefined) return null
  if (anchor === anchorOf('Scenarios: the reference')) return '#reference'
  return anchor === '' ? `#${guide.topic}` : `#${guide.topic}-${anchor}`
}

/** The anchor of a heading, as code hosts make it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}
