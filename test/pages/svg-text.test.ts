import { expect, test } from 'vitest'
import { element, escapeText, formatTenths, toTenths } from '../../src/pages/svg-text.ts'

test.each([
  [0, '0'],
  [-0.04, '0'],
  [0.05, '.1'],
  [-0.5, '-.5'],
  [12, '12'],
  [12.34, '12.3'],
  [-120, '-120'],
  [Number.NaN, '0'],
  [Number.POSITIVE_INFINITY, '0'],
])('%d is written with one decimal at most: %s', (coordinate, text) => {
  expect(formatTenths(toTenths(coordinate))).toBe(text)
})

test('a text cannot leave its place, and has nothing that XML forbids', () => {
  expect(escapeText(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;')
  expect(escapeText('\t\n €𝄞')).toBe('\t\n €𝄞')
  const forbidden = [0, 8, 13, 31, 0xfffe, 0xffff, 0xd800, 0xdbff, 0xdc00, 0xdfff]
  for (const code of forbidden) expect(escapeText(`a${String.fromCharCode(code)}b`)).toBe('ab')
  for (const code of [32, 127, 0xd7ff, 0xe000, 0xfffd])
    expect(escapeText(String.fromCharCode(code))).toBe(String.fromCharCode(code))
})

test('attributes are sorted, and numbers are coordinates', () => {
  expect(element('rect', { y: 1.26, class: 'a"b', x: -0 })).toBe('<rect class="a&quot;b" x="0" y="1.3"/>')
  expect(element('g', {}, '<a/>')).toBe('<g><a/></g>')
})
