import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'
import { matrix } from './matrix-scenario.ts'

/** A scenario whose second expectation fails, with characters that every format has to escape. */
const doomed = `version: 1
name: doomed
clock: {end: 10s}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}}}}
expect:
  - {at: +1s, that: price.BTC.mark == 50000}
  - {at: +5s, that: "price.BTC.mark < 1 and 'a' != 'b'", message: "it must <rise>, 100%: & \\"quoted\\""}
`

it('writes several reports at once, each to its file', async () => {
  const cwd = folderWith({ 'doomed.yaml': doomed })
  const summary = join(cwd, 'summary.md')
  const words = [
    'run',
    'doomed.yaml',
    '--reporter',
    'pretty,github,junit:out/report.xml,html:report.html,json:report.json',
  ]
  const ended = await otcsim(words, { cwd, env: { GITHUB_STEP_SUMMARY: summary } })
  expect(ended.code).toBe(1)
  expect(ended.out).toContain('✗ doomed  doomed.yaml')
  expect(ended.out).toContain(
    "::error file=doomed.yaml,line=7,col=22,title=it must <rise>%2C 100%25%3A & \"quoted\"::expected at 2026-01-05T00:00:05.000Z: price.BTC.mark < 1 and 'a' != 'b'%0Agot      price.BTC.mark = 50000 at 2026-01-05T00:00:05.000Z%0Areplay   npx otcsim run doomed.yaml --seed 1\n",
  )
  expect(readFileSync(summary, 'utf8')).toContain('## otcsim: the run failed')
  expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({ ok: false })
  expect(readFileSync(join(cwd, 'out/report.xml'), 'utf8')).toContain('<testsuites name="otcsim run"')
})

/** The elements of an XML text with the names of their attributes, in order. */
function elementsOf(xml: string): readonly (readonly [string, readonly string[]])[] {
  return [
    ...xml.matchAll(/<([a-z]+)((?:\s+[a-z]+="[^"<>&]*(?:&(?:amp|lt|gt|quot|#39|#10);[^"<>&]*)*")*)\s*\/?>/g),
  ].map(([, name = '', attributes = '']) => [
    name,
    [...attributes.matchAll(/([a-z]+)=/g)].map(([, key = '']) => key),
  ])
}

/** Output of vitest 4 for one passing and one failing test, with its message shortened. */
const vitestReport = `<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="2" failures="1" errors="0" time="0.039741684">
    <testsuite name="a.test.ts" timestamp="2026-11-21T23:32:33.196Z" hostname="vm" tests="2" failures="1" errors="0" skipped="0" time="0.039741684">
        <testcase classname="a.test.ts" name="holds" time="0.002644584">
        </testcase>
        <testcase classname="a.test.ts" name="fails: a, b" time="0.030920063">
            <failure message="it must &lt;rise&gt;, 100%: expected 1 to be 2 // Object.is equality" type="AssertionError">
AssertionError: it must &lt;rise&gt;, 100%: expected 1 to be 2 // Object.is equality
            </failure>
        </testcase>
    </testsuite>
</testsuites>
`

/** Attributes that we omit, because time and machine would make equal runs differ. */
const leftOut = ['timestamp', 'hostname']

it('has the elements and attributes in JUnit that vitest emits', async () => {
  const cwd = folderWith({ 'doomed.yaml': doomed })
  await otcsim(['run', 'doomed.yaml', '--reporter', 'junit:report.xml'], { cwd })
  const xml = readFileSync(join(cwd, 'report.xml'), 'utf8')
  const [ours, theirs] = [elementsOf(xml), elementsOf(vitestReport)]
  const own = ['properties', 'property', 'system']
  expect(ours.map(([name]) => name).filter((name) => !own.includes(name))).toEqual(
    theirs.map(([name]) => name),
  )
  const attributes = new Map(ours.map(([name, keys]) => [name, keys]))
  for (const [name, keys] of theirs) {
    const needed = keys.filter((key) => !leftOut.includes(key))
    expect(attributes.get(name)).toEqual(expect.arrayContaining(needed))
  }
  expect(xml).toContain('<testsuites name="otcsim run" tests="2" failures="1" errors="0"')
  expect(xml).toContain('message="it must &lt;rise&gt;, 100%: &amp; &quot;quoted&quot;"')
  expect(xml).toContain(
    '&gt;    7 |   - {at: +5s, that: &quot;price.BTC.mark &lt; 1 and &#39;a&#39; != &#39;b&#39;&quot;',
  )
})

const several = `${doomed.slice(0, doomed.indexOf('expect:'))}expect:
  - at: +5s
    that:
      price.BTC.mark:
        gte: 1
        lte: 2
      market.BTC.status: active
    message: cheap
`

it.each([
  ['pretty', /✗ several\.yaml:10:14 {2}cheap\n[^✗]*> +10 \| +lte: 2\n/],
  [
    'json',
    /"file": "several\.yaml",\s+"line": 10,\s+"col": 14,\s+"expected": .*,\s+"got": .*,\s+"message": "cheap"/,
  ],
  ['junit', /several\.yaml:10:14\n(?:.*\n)*&gt; +10 \| +lte: 2\n/],
  [
    'github',
    /::error file=several\.yaml,line=10,col=14,title=cheap::expected .*%0Agot {6}price\.BTC\.mark = 50000 at /,
  ],
  ['html', /<code>several\.yaml:10:14<\/code>/],
])('points at the bound that was not met: %s', async (reporter, told) => {
  const cwd = folderWith({ 'several.yaml': several })
  const ended = await otcsim(['run', 'several.yaml', '--reporter', `${reporter}:report`], { cwd })
  expect(ended.code).toBe(1)
  expect(readFileSync(join(cwd, 'report'), 'utf8')).toMatch(told)
})

it('names each expectation by its moment, too', async () => {
  const lines = [
    '{at: +1s, that: clock > 0}',
    '{at: +2s, that: clock > 0}',
    '{by: +3s, that: clock > 0}',
    '{within: [late, 1s], that: clock > 0}',
    '{eventually: clock > 0}',
    '{always: clock < 9999999}',
  ]
  const timeline = 'timeline: [{when: clock > 1, id: late, note: x}]'
  const text = `${doomed.slice(0, doomed.indexOf('expect:'))}${timeline}\nexpect: [${lines.join(', ')}]\n`
  const cwd = folderWith({ 'dated.yaml': text })
  const done = await otcsim(['run', 'dated.yaml', '--reporter', 'junit'], { cwd })
  expect([...done.out.matchAll(/<testcase .* name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    'at +1s: clock &gt; 0',
    'at +2s: clock &gt; 0',
    'by +3s: clock &gt; 0',
    'within late to late+1s: clock &gt; 0',
    'eventually: clock &gt; 0',
    'always: clock &lt; 9999999',
  ])
})

/**
 * The rules of junit-10.xsd, by which the xUnit plugin of Jenkins accepts a file: the attributes of an element, required
 * ones with `!`, and its children (null: text).
 */
const junitRules: { readonly [element: string]: readonly [attributes: string, children: string | null] } = {
  testsuites: ['name time tests failures errors', 'testsuite'],
  testsuite: [
    'name! tests! failures! errors! group time skipped timestamp hostname id package file log url',
    'testsuite properties testcase system-out system-err',
  ],
  properties: ['', 'property'],
  property: ['name! value!', ''],
  testcase: ['name! time classname group', 'skipped error failure system-out system-err'],
  failure: ['type message', null],
  skipped: ['type message', null],
  'system-out': ['', null],
}

/** Breaches of these rules in an XML text, and of the rules of XML that we could break. */
function junitFlaws(xml: string): readonly string[] {
  const flaws: string[] = []
  const open: string[] = []
  const attribute = /([a-z]+)="([^"<]*)"/g
  for (const [, text = '', tag = ''] of xml.replace(/^<\?xml[^?]*\?>/, '').matchAll(/([^<]*)<([^>]*)>/g)) {
    const parent = open.at(-1) ?? ''
    if (text.trim() !== '' && junitRules[parent]?.[1] !== null) flaws.push(`text in ${parent}`)
    const strayAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/
    if (strayAmpersand.test(text) || strayAmpersand.test(tag)) flaws.push(`& in ${parent}`)
    if (tag.startsWith('/')) {
      if (open.pop() !== tag.slice(1)) flaws.push(`</${tag.slice(1)}>`)
      continue
    }
    const [name = ''] = tag.split(/[\s/]/)
    const rule = junitRules[name]
    const allowedHere = open.length === 0 ? 'testsuites' : (junitRules[parent]?.[1] ?? '')
    if (rule === undefined || !allowedHere.split(' ').includes(name)) flaws.push(`${name} in ${parent}`)
    const rest = tag.slice(name.length).replace(/\/$/, '').replace(attribute, '')
    if (rest.trim() !== '') flaws.push(`${rest} in the tag ${name}`)
    const given = new Map([...tag.matchAll(attribute)].map(([, key = '', value = '']) => [key, value]))
    const known = (rule?.[0] ?? '').split(' ')
    for (const key of given.keys())
      if (!known.includes(key) && !known.includes(`${key}!`)) flaws.push(`${name} has ${key}`)
    for (const key of known)
      if (key.endsWith('!') && !given.has(key.slice(0, -1))) flaws.push(`${name} lacks ${key}`)
    for (const key of ['tests', 'failures', 'errors', 'skipped'])
      if (given.has(key) && !/^\d+$/.test(given.get(key) ?? '')) flaws.push(`${key} of ${name}`)
    if (given.has('time') && !/^\d{1,3}(,?\d{3})*(\.\d*)?$/.test(given.get('time') ?? ''))
      flaws.push(`time of ${name}`)
    if (!tag.endsWith('/')) open.push(name)
  }
  return [...flaws, ...open.map((name) => `${name} is open`)]
}

it('writes JUnit that fits the schema of Jenkins, whatever the texts contain', async () => {
  const odd = doomed.replace('it must <rise>', "]]> &amp; \\u0007 </failure> <!-- '’' 🚀")
  expect(odd).not.toBe(doomed)
  const cwd = folderWith({ 'doomed.yaml': doomed, 'odd.yaml': odd, 'many.yaml': matrix })
  await otcsim(['run', 'doomed.yaml', 'odd.yaml', 'many.yaml', 'calm', '--reporter', 'junit:report.xml'], {
    cwd,
  })
  const xml = readFileSync(join(cwd, 'report.xml'), 'utf8')
  expect(junitFlaws(xml)).toEqual([])
  expect(xml.match(/<testsuite /g)?.length).toBeGreaterThan(8)
  expect(junitFlaws(xml.replace('<testcase ', '<testcase line="3" '))).toEqual(['testcase has line'])
  expect(junitFlaws(xml.replace('</failure>', ''))).not.toEqual([])
})

it('writes a self-contained HTML report, the same bytes each time', async () => {
  const cwd = folderWith({ 'doomed.yaml': doomed })
  const pages = []
  for (const folder of ['a', 'b']) {
    await otcsim(['run', 'doomed.yaml', '--reporter', `html:${folder}/runs.html`], { cwd })
    pages.push(readFileSync(join(cwd, folder, 'runs.html'), 'utf8'))
  }
  const [first = '', second] = pages
  expect(second).toBe(first)
  expect(first).toContain('it must &lt;rise&gt;, 100%: &amp; &quot;quoted&quot;')
  expect(first).toContain('<svg')
  expect(first).not.toMatch(/<script|<link|src=|url\(|@import|https?:\/\/(?!www\.w3\.org)/)
})

it('reads included files, reports their lines, and shares their labels', async () => {
  const cwd = folderWith({})
  mkdirSync(join(cwd, 'parts'))
  writeFileSync(
    join(cwd, 'parts/market.yaml'),
    `market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}}}}
timeline:
  - {at: +5s, id: news, path: {asset: BTC, price: 51000}}
expect:
  - {at: end, that: price.BTC.mark == 1}
`,
  )
  writeFileSync(
    join(cwd, 'main.yaml'),
    `version: 1
name: whole
include: [parts/market.yaml]
clock: {end: 10s}
expect:
  - {at: news+1s, that: price.BTC.mark == 51000}
`,
  )
  const ended = await otcsim(['run', 'main.yaml'], { cwd })
  expect(ended.code).toBe(1)
  expect(ended.out).toContain(
    `✗ parts/market.yaml:5:21  expected at 2026-01-05T00:00:10.000Z: price.BTC.mark == 1`,
  )
  expect(ended.out).toContain('>    5 |   - {at: end, that: price.BTC.mark == 1}')
  expect(ended.out).toContain('1 of 2 held')
  writeFileSync(join(cwd, 'parts/market.yaml'), 'include: ../main.yaml\n')
  expect((await otcsim(['run', 'main.yaml'], { cwd })).err).toBe(
    'parts/market.yaml:1:10 include[0]: goes round in a circle: main.yaml > parts/market.yaml > main.yaml\n',
  )
})
