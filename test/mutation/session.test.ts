import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { Session } from './session.ts'

/* One worker with three orders, between which the text of a source changes. */

const path = 'src/numeric/columns.ts'
const own = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const tests = ['test/numeric/columns.test.ts', 'test/numeric/records.test.ts']
const session = new Session()
afterAll(() => session.close())

it('reports what passes, what fails, and what does not end', async () => {
  const run = (text: string, patienceMillis = 60_000) =>
    session.run({ path, text, tests }, () => patienceMillis)
  const unchanged = await run(own)
  expect([unchanged.kind, [...unchanged.millisOf.keys()]]).toEqual(['passed', tests])
  const failing = await run(changed('this.bytes.set(before)', ''))
  expect([failing.kind, failing.test]).toEqual(['failed', tests[1]])
  const endless = await run(
    changed('if (rows <= this.capacity) return', 'for (;;) this.capacity = rows'),
    1500,
  )
  expect([endless.kind, endless.test]).toEqual(['late', tests[1]])
})

function changed(part: string, other: string): string {
  expect(own).toContain(part)
  return own.replace(part, other)
}
