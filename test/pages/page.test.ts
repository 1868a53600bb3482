import { expect, it } from 'vitest'
import { factsMarkup, tableMarkup } from '../../src/pages/html.ts'
import { renderPage } from '../../src/pages/page.ts'

const hash = (text: string): string => `'sha256-${text.length}'`

it('a page is one self-contained file, and escapes texts', () => {
  const page = renderPage(
    {
      title: 'A <b>',
      lead: factsMarkup([['seed', '"7"']]),
      sections: [
        {
          id: 'one',
          title: 'One & two',
          body: `<svg></svg>${tableMarkup({ caption: 'All', head: ['seed', 'end'], rows: [['7', '<3']] })}`,
        },
      ],
    },
    hash,
  )
  expect(page).toContain('default-src &#39;none&#39;')
  expect(page).not.toMatch(/<script|<link|src=|@import|url\(/)
  expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(['#main', '#one'])
  expect(page).toContain('<title>A &lt;b&gt;</title>')
  expect(page).toContain('<h2 id="one-heading">One &amp; two</h2>')
  expect(page).toContain('<dt>seed</dt><dd>&quot;7&quot;</dd>')
  expect(page).toContain('<th scope="row">7</th><td class="figure">&lt;3</td>')
})

it('marks a cell as code, as a link, and as held or not, and escapes each', () => {
  const rows = [
    [
      { text: '<a>', as: 'code', reason: 'so & so' },
      { text: 'held', as: 'pass' },
      { text: 'there', href: '#"x' },
    ],
  ] as const
  const table = tableMarkup({ caption: 'Marks', head: ['One', 'Two', 'Three'], rows, figures: [] })
  expect(table).toContain('<code>&lt;a&gt;</code> <span class="why">(so &amp; so)</span>')
  expect(table).toContain('<span class="pass">held</span>')
  expect(table).toContain('<a href="#&quot;x">there</a>')
})

it("holds a script's data so that no text of it ends the script", () => {
  const value = '</script><!-- \u2028'
  const script = { style: '', scripts: ['1'], data: { id: 'data', value } }
  const page = renderPage({ title: '', lead: '', sections: [], script }, hash)
  const json = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)?.[1] ?? ''
  expect(JSON.parse(json)).toBe(value)
})

it('a table whose texts may be broken keeps dates and instants whole', () => {
  const rows = [['1', '2026-01-05 to 2026-01-05T03:00:00Z']]
  const table = tableMarkup({ caption: 'Folds', head: ['Fold', 'Training'], rows, isWrapped: true })
  expect(table).toContain(
    '<span class="whole">2026-01-05</span> to <span class="whole">2026-01-05T03:00:00Z</span>',
  )
})
