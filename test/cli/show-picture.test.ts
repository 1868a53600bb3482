import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inWorld } from '../../src/testing/in-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

/** Keeps a failed test whose order rests, `passedMillis` after the world's start. Returns its folder and its journal. */
async function failTest(passedMillis: number) {
  const cwd = temporaryFolder()
  const failing = inWorld(
    'an order rests',
    async ({ world }) => {
      world.advance(passedMillis)
      await world.client('trader').orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, price: 90_000 })
      throw new Error('it is open\n```')
    },
    { journals: cwd },
  )
  await expect(failing).rejects.toThrow('it is open')
  const journal = readdirSync(cwd).find((name) => name.endsWith('.journal')) ?? ''
  return { cwd, journal }
}

it('show --markdown draws the book of a still world with the order in question', async () => {
  const { cwd, journal } = await failTest(0)
  const { code, out } = await otcsim(['show', journal, '--markdown', '--picture', 'book.svg'], { cwd })
  expect(code).toBe(0)
  const [, places = '', bars = ''] =
    /title "BTC: the book when the test failed, and ord_1: trader, buy 0\.1 @ 90,000"\n {4}x-axis "USD" (90000 --> [\d.]+)\n.*\n {4}bar \[([^\]]*)\]/.exec(
      out,
    ) ?? []
  expect(places).not.toBe('')
  expect(bars.split(', ').map(Number)).toEqual([0.1, ...new Array(39).fill(0)])
  expect(out).toContain('````text\nit is open\n```\n````\n')
  const picture = readFileSync(join(cwd, 'book.svg'), 'utf8')
  expect(picture).toContain('ord_1: trader, buy 0.1 @ 90,000</text>')
  expect(picture).not.toMatch(/NaN|undefined|<script/)
})

it('show --picture draws the course of prices with the mark of the last instant', async () => {
  const { cwd, journal } = await failTest(60_000)
  const { out } = await otcsim(['show', journal, '--markdown', '--picture', 'course.svg'], { cwd })
  const marks = /x-axis "seconds before" -60 --> 0\n.*\n {4}line \[([^\]]*)\]/.exec(out)?.[1] ?? ''
  expect(marks.split(', ')).toHaveLength(40)
  expect(Number(marks.split(', ').at(-1))).toBeGreaterThan(90_000)
  expect(readFileSync(join(cwd, 'course.svg'), 'utf8')).toContain('>BTC, USD</text>')
})
