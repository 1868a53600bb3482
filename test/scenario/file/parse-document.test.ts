import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { maximumTextLength, parseDocument } from '../../../src/scenario/file/parse-document.ts'
import { type Tree, toPlain } from '../../../src/scenario/file/tree.ts'
import { caseBudget } from '../../support/full-run.ts'

const refusals = (text: string): readonly string[] => {
  const parsed = parseDocument(text, 's.yaml')
  return parsed.ok ? [] : parsed.problems.map(formatMistake)
}

const parsed = (text: string): Tree => {
  const result = parseDocument(text, 's.yaml')
  if (!result.ok) throw new Error(result.problems.map(formatMistake).join('\n'))
  return result.value
}

it('keeps the place of every value and key', () => {
  const tree = parsed('a: 1\nb:\n  - x\n  - {c: true}\n')
  if (tree.kind !== 'mapping') throw new Error('a mapping was expected')
  const b = tree.entries.get('b')
  expect(b?.keyPlace).toEqual({ file: 's.yaml', line: 2, column: 1 })
  if (b?.value.kind !== 'list') throw new Error('a list was expected')
  expect(b.value.items.map((item) => [item.place.line, item.place.column])).toEqual([
    [3, 5],
    [4, 5],
  ])
})

it.each([
  [
    'YAML 1.1 words and dates, which stay text',
    'a: yes\nb: no\nc: 2026-01-05T00:00:00Z\nd: 1_000',
    { a: 'yes', b: 'no', c: '2026-01-05T00:00:00Z', d: '1_000' },
  ],
  ['JSON with tabs', '{\n\t"a": [1, 2.5e3, null, "x"]\n}', { a: [1, 2500, null, 'x'] }],
  ['a block text', 'a: |\n  one [ two\n  three', { a: 'one [ two\nthree\n' }],
  ['an empty file', '', null],
  ['a byte order mark', '\uFEFFa: 1', { a: 1 }],
])('reads %s', (_, text, value) => {
  expect(toPlain(parsed(text))).toEqual(value)
})

it('keeps the decimal text of a number that a double would round', () => {
  const tree = parsed('a: 0.1000000000000000055')
  if (tree.kind !== 'mapping') throw new Error('a mapping was expected')
  expect(tree.entries.get('a')?.value).toMatchObject({ text: '0.1000000000000000055' })
})

it.each([
  ['a duplicate key', 'a: 1\nb: 2\na: 3', 's.yaml:3:1 a: the key is there twice, first in line 1'],
  ['an alias', 'a: &x [1]\nb: *x', 's.yaml:2:4 b: aliases (*name) are not allowed; write the value again'],
  ['a tag', 'a: !!binary aGk=', 's.yaml:1:4 tags are not allowed (Unresolved tag: tag:yaml.org,2002:binary)'],
  ['an unknown tag', 'a: !js x', 's.yaml:1:4 tags are not allowed (Unresolved tag: !js)'],
  ['a key that is none', 'a: 1\nb:\n  c: 1\n  : 2', 's.yaml:4:1 b: keys must be plain text'],
  ['a list as a key', 'b:\n  c: 1\n  ? [a]\n  : 2', 's.yaml:3:5 b: keys must be plain text'],
  ['a merge key', '<<: {a: 1}', 's.yaml:1:1 merge keys (<<) are not allowed'],
  ['a second document', 'a: 1\n---\nb: 2', 's.yaml:2:1 one file holds one document; remove the second "---"'],
  [
    'infinity',
    'a: .inf',
    's.yaml:1:4 a: .inf is not a plain decimal number; quote it if it is meant as text',
  ],
  [
    'no number',
    'a: .nan',
    's.yaml:1:4 a: .nan is not a plain decimal number; quote it if it is meant as text',
  ],
  [
    'hexadecimal',
    'a: 0x1F',
    's.yaml:1:4 a: 0x1F is not a plain decimal number; quote it if it is meant as text',
  ],
  [
    'octal of old',
    'a: 017',
    's.yaml:1:4 a: 017 is not a plain decimal number; quote it if it is meant as text',
  ],
  ['a key that is a list', '? [1]\n: 2', 's.yaml:1:3 keys must be plain text'],
])('refuses %s with its place', (_, text, complaint) => {
  expect(refusals(text)).toEqual([complaint])
})

it('refuses deep nesting before the YAML library, which would abort the process, sees it', () => {
  const deep = [
    '['.repeat(10_000),
    '{a: '.repeat(1000),
    '- '.repeat(500),
    Array.from({ length: 100 }, (_, indent) => `${' '.repeat(indent)}a:`).join('\n'),
    `a: "]]]"\nb: ${'['.repeat(40)}`,
    `a: 'it''s]' # ]\nb: [${'\n['.repeat(40)}`,
  ]
  for (const text of deep) expect(refusals(text)[0]).toMatch(/^s\.yaml:\d+:\d+ nested deeper than 32 levels$/)
})

it.each([
  ['brackets in texts', `a: "${'['.repeat(50)}"\nb: don't ${'['.repeat(50)}`],
  ['brackets in comments', `# ${'['.repeat(50)}\na: 1 # ${'{'.repeat(50)}`],
  ['many lists beside each other', `a: [${'[1], '.repeat(200)}[1]]`],
  ['thirty levels', `a: ${'['.repeat(30)}${']'.repeat(30)}`],
])('does not take %s for depth', (_, text) => {
  expect(refusals(text)).toEqual([])
})

it('refuses a text beyond 1 MiB', () => {
  expect(refusals(`a: ${'x'.repeat(maximumTextLength)}`)).toEqual(['s.yaml:1:1 longer than 1 MiB'])
})

it('reads every JSON value as JSON.parse does', () => {
  const plain = fc.jsonValue({ maxDepth: 6 }).filter((value) => !JSON.stringify(value).includes('<<'))
  fc.assert(
    fc.property(plain, (value) => {
      const text = JSON.stringify({ value })
      expect(toPlain(parsed(text))).toEqual(JSON.parse(text))
    }),
    { seed: 7, numRuns: caseBudget(300) },
  )
})

it('answers every text with a tree or with placed problems, and never throws', () => {
  const snippets = fc.array(
    fc.constantFrom(
      'a: ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '#',
      ',',
      '? ',
      '|',
      '>',
      '&x',
      '*x',
      '!t',
      '1',
      ':',
      '\t',
      '---',
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(snippets, (parts) => {
      const result = parseDocument(parts.join(''), 's.yaml')
      if (!result.ok) expect(result.problems.every((problem) => problem.place.line > 0)).toBe(true)
    }),
    { seed: 7, numRuns: caseBudget(2000) },
  )
})
