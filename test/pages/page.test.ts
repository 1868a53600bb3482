import { expect, it } from 'vitest'
import { drawPage } from '../../src/pages/page.ts'

it('a page is one self-contained file, and escapes texts', () => {
  const page = drawPage({
    title: 'A <b>',
    facts: [['seed', '"7"']],
    sections: [
      {
        heading: 'One & two',
        figures: ['<svg></svg>'],
        table: { caption: 'All', columns: ['seed', 'end'], rows: [['7', '<3']] },
      },
    ],
  })
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/<script|<link|src=|href=|@import|url\(/)
  expect(page).toContain('<title>A &lt;b&gt;</title>')
  expect(page).toContain('<h2>One &amp; two</h2>')
  expect(page).toContain('<dt>seed</dt><dd>&quot;7&quot;</dd>')
  expect(page).toContain('<tr><th scope="row">7</th><td>&lt;3</td></tr>')
})
