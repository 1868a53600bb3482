import { describe, expect, it } from 'vitest'
import { type AdminApi, AdminProblem } from '../../../src/console/model/admin-api.ts'
import type { HistoryPrices } from '../../../src/console/model/documents.ts'
import {
  findFork,
  findWorldAt,
  joinPrices,
  readAncestors,
  readWholePast,
} from '../../../src/console/model/lineage.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 5) + second * 1000).toISOString()
const moment = (sequence: number, second: number) => ({ sequence, at: at(second) })

/** Forks of forks: each world has an item a line, and a page of two items at most. */
const parents: Readonly<Record<string, { world: string; sequence: number; at: string } | null>> = {
  root: null,
  middle: { world: 'root', ...moment(4, 4) },
  leaf: { world: 'middle', ...moment(6, 6) },
  orphan: { world: 'gone', ...moment(2, 2) },
}
const begins: Readonly<Record<string, number>> = { root: 0, middle: 4, leaf: 6, orphan: 2 }
const lines = 9

function listItems(world: string, from: number) {
  const first = begins[world] ?? 0
  const all = Array.from({ length: lines - first }, (_, index) => ({
    ...{ index, ...moment(first + index + 1, first + index + 1), kind: 'command' as const, type: world },
    ...{ account: null, asset: null, refusal: null, fields: {} },
  }))
  const items = all.slice(from, from + 2)
  return { begins: moment(first, first), items, next: from + items.length, isWhole: from + 2 >= all.length }
}

const api: AdminApi = {
  ...{ venueUrl: '', token: '', text: async () => '', stream: async () => {} },
  ask: async (_method, path) => {
    const [, world = '', rest = ''] = /^\/worlds\/(\w+)(.*)$/.exec(path) ?? []
    if (!(world in parents)) throw new AdminProblem(404, 'gone')
    const answer = rest === '' ? { parent: parents[world] } : listItems(world, Number(rest.split('=')[1]))
    return JSON.parse(JSON.stringify(answer))
  },
}

describe('a fork', () => {
  it('goes back to its parent, and to the parent of that', async () => {
    const ancestors = await readAncestors(api, 'leaf')
    expect(ancestors).toEqual([
      { world: 'root', until: moment(4, 4) },
      { world: 'middle', until: moment(6, 6) },
    ])
    const worlds = [moment(3, 3), moment(4, 4), moment(5, 5), moment(6, 6), moment(7, 7), null]
    expect(worlds.map((when) => findWorldAt('leaf', ancestors, when))).toEqual([
      ...['root', 'middle', 'middle', 'leaf', 'leaf', 'leaf'],
    ])
    const past = await readWholePast(api, 'leaf')
    expect([past.begins, past.items.map(({ type, sequence }) => `${type} ${sequence}`)]).toEqual([
      moment(0, 0),
      ['root 1', 'root 2', 'root 3', 'root 4', 'middle 5', 'middle 6', 'leaf 7', 'leaf 8', 'leaf 9'],
    ])
  })

  it('begins where it was forked when its parent is gone', async () => {
    const past = await readWholePast(api, 'orphan')
    expect([past.begins, past.items[0]?.sequence]).toEqual([moment(2, 2), 3])
    await expect(readWholePast(api, 'gone')).rejects.toThrow('There is no world gone')
  })

  it.each([
    ['leaf', 'middle', moment(6, 6)],
    ['leaf', 'root', moment(4, 4)],
    ['root', 'leaf', moment(4, 4)],
    ['leaf', 'orphan', null],
  ] as const)('%s parts from %s', async (one, other, fork) => {
    const lines = await Promise.all([one, other].map((world) => readAncestors(api, world)))
    expect(findFork([one, lines[0] ?? []], [other, lines[1] ?? []])).toEqual(fork)
  })

  it('has the prices of its parent until the fork', () => {
    const pricesOf = (first: number, stepMs: number): HistoryPrices => ({
      ...{
        asset: 'BTC',
        isWhole: true,
        reached: moment(9, 9),
        begins: moment(first, first),
        ends: null,
        stepMs,
      },
      rows: [1, 3, 5].map((second) => [Date.parse(at(first + second)), first + second, first, null, null]),
      trades: [[Date.parse(at(first + 3)), first + 3, 7, 1]],
      fills: [],
    })
    const joined = joinPrices(pricesOf(0, 2000), pricesOf(4, 5000), moment(4, 4))
    expect(joined.rows.map(([, line, mark]) => [line, mark])).toEqual([
      ...[
        [1, 0],
        [3, 0],
      ],
      ...[
        [5, 4],
        [7, 4],
        [9, 4],
      ],
    ])
    expect([joined.begins, joined.stepMs, joined.trades.length]).toEqual([moment(0, 0), 10_000, 2])
  })
})
