import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  defaultLayout,
  movePanel,
  panelNames,
  putBefore,
  readLayout,
  setHeight,
  widenColumn,
} from '../../../src/console/model/layout.ts'

const columnsOf = (
  ...moves: readonly (readonly [(typeof panelNames)[number], 'up' | 'down' | 'left' | 'right'])[]
) => moves.reduce((layout, [name, direction]) => movePanel(layout, name, direction), defaultLayout).columns

describe('the layout', () => {
  it.each([
    [[['orders', 'up']], 0, ['orders', 'market']],
    [[['market', 'right']], 1, ['market', 'book']],
    [[['book', 'left']], 0, ['book', 'market', 'orders']],
    [[['ticket', 'down']], 5, ['ticket', 'controls']],
    [[['risk', 'up']], 1, ['book', 'risk']],
    [[['market', 'left']], 0, ['market', 'orders']],
    [[['requests', 'right']], 2, ['requests', 'ticket']],
  ] as const)('is moved by %j', (moves, column, names) => {
    expect(columnsOf(...moves)[column]).toEqual(names)
  })

  it('puts a panel before another one', () => {
    expect(putBefore(defaultLayout, 'controls', 'market').columns[0]).toEqual([
      'controls',
      'market',
      'orders',
    ])
    expect(putBefore(defaultLayout, 'market', 'orders')).toEqual(defaultLayout)
  })

  it('has every panel once after any moves, and is read back as it was', () => {
    const names = fc.constantFrom(...panelNames)
    const move = fc.tuple(names, fc.constantFrom('up', 'down', 'left', 'right'), names)
    fc.assert(
      fc.property(fc.array(move), (moves) => {
        let layout = defaultLayout
        for (const [name, direction, other] of moves) {
          layout = putBefore(movePanel(layout, name, direction), other, name)
          layout = widenColumn(setHeight(layout, name, 300), 2, 11)
        }
        expect(layout.columns.flat().sort()).toEqual([...panelNames].sort())
        expect(readLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout)
      }),
    )
  })

  it.each([
    null,
    'x',
    { columns: [['market']] },
    { ...defaultLayout, columns: [['market', 'market'], [], [], [], [], []] },
  ])('is the usual one where %j is stored', (stored) => {
    expect(readLayout(stored)).toEqual(defaultLayout)
  })

  it('keeps sizes within bounds', () => {
    expect(widenColumn(defaultLayout, 1, -5000).widths[0]).toBe(180)
    expect(setHeight(defaultLayout, 'orders', 10).heights).toEqual({ orders: 90 })
  })
})
