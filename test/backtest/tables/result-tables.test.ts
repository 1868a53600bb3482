import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { backtest } from '../../../src/backtest/backtest.ts'
import { defineStrategy } from '../../../src/backtest/strategy.ts'
import {
  type BacktestRun,
  listTableParts,
  makeRunTables,
  partRows,
  type ResultTable,
  type TableParts,
} from '../../../src/backtest/tables/result-tables.ts'
import { createTableParquet, formatCsv } from '../../../src/backtest/tables/table-files.ts'
import { compiledScenario } from '../../support/compiled-scenario.ts'
import { busyScenario } from '../scenarios.ts'

/** Trades on both sides, quotes, and records series, so that every table has rows. */
const trader = defineStrategy({
  name: 'trader',
  tick: '10s',
  onTick({ price, record, sync }, { index }) {
    const { mid } = price('BTC')
    record('mid, "quoted"', mid)
    if (index % 3 === 0) record('gap', Number.NaN)
    const side = index % 2 === 0 ? 'sell' : 'buy'
    sync.orders.create({
      side,
      asset: 'BTC',
      quantity: 0.5,
      orderType: 'market',
      clientOrderId: `a,"${index}"`,
    })
    if (index === 2)
      sync.quotes.submit({ asset: 'ETH', bidPrice: 2000, askPrice: 4000, bidSize: 1, askSize: 1 })
  },
})

const inOnePart = (table: ResultTable): TableParts => ({ name: table.name, parts: () => [table] })

let run: BacktestRun
let tables: readonly ResultTable[]
beforeAll(async () => {
  run = await backtest(trader, { scenario: compiledScenario(busyScenario), equityGrid: '1m' })
  tables = Object.values(makeRunTables(run))
})

describe('the columns of a result', () => {
  it('are its records, field by field', () => {
    const { equity, fills, orders, quotes, series, trips } = run.columns()
    const { orderId, price } = orders
    expect(orderId).toEqual(run.orders.map((order) => order.orderId))
    expect(price).toEqual(Float64Array.from(run.orders, (order) => order.price ?? Number.NaN))
    const { 'cause.kind': causes, isMaker, 'midAfter.1m': afterMinute } = fills
    expect(afterMinute).toEqual(Float64Array.from(run.fills, ({ midAfter }) => midAfter[4] ?? Number.NaN))
    expect(causes).toEqual(run.fills.map(({ cause }) => cause?.kind ?? null))
    expect(isMaker).toEqual(run.fills.map((fill) => fill.isMaker))
    expect(equity['position.BTC']).toEqual(Float64Array.from(run.equity.assets[0]?.position ?? []))
    const [{ bidPrice }, { realized }, { name }] = [quotes, trips, series]
    expect(bidPrice).toEqual(Float64Array.of(2000))
    expect(realized?.length).toBe(run.metrics.trips.count)
    expect(new Set<unknown>(name)).toEqual(new Set(['mid, "quoted"', 'gap']))
  })

  it('have one length a table, and rows in all that there are', () => {
    for (const { columns, name, rows } of tables) {
      if (name !== 'transfers') expect(rows).toBeGreaterThan(0)
      for (const { values } of columns.values()) expect(values.length).toBe(rows)
    }
  })

  it('hold decimal amounts, without what sums of doubles leave', () => {
    const noisy = /\.\d*(?:0{7}\d\d?|9{7}\d\d?)[,\n]/g
    for (const table of tables)
      expect([...formatCsv(inOnePart(table))].join('').match(noisy), table.name).toBeNull()
    const { fills, metrics } = run
    expect(`${JSON.stringify(fills)}\n`.match(noisy)).toBeNull()
    const { attribution, costs, trips } = metrics
    expect(JSON.stringify([attribution, costs.shortfall, trips.realized]).match(noisy)).toBeNull()
  })

  it('are no part of the result’s text or copies', () => {
    expect(JSON.parse(JSON.stringify(run))).toEqual(run)
    expect(structuredClone(run)).toEqual(run)
    expect(Object.keys(run)).not.toContain('columns')
  })
})

describe('the files of a table', () => {
  const fileName = (name: string, kind: string) => (kind === 'instant' ? name.replace(/Millis$/, '') : name)

  it('hold its values as Parquet', async () => {
    for (const table of tables) {
      const bytes = await createTableParquet(inOnePart(table))
      const rows = await parquetReadObjects({ file: bytes.slice().buffer })
      expect(rows.length).toBe(table.rows)
      for (const [name, { kind, values }] of table.columns)
        expect(rows.map((row) => row[fileName(name, kind)])).toEqual(
          [...values].map((value) =>
            typeof value === 'number' && Number.isNaN(value)
              ? null
              : kind === 'instant'
                ? new Date(Number(value))
                : value,
          ),
        )
    }
  })

  it('hold its values as CSV, to the last digit', async () => {
    for (const table of tables) {
      const text = [...formatCsv(inOnePart(table))].join('')
      const rows: Record<string, string>[] = parse(text, { columns: true })
      expect(rows.length).toBe(table.rows)
      for (const [name, { kind, values }] of table.columns)
        expect(rows.map((row) => row[fileName(name, kind)])).toEqual(
          [...values].map((value) =>
            value === null || (typeof value === 'number' && Number.isNaN(value))
              ? ''
              : kind === 'instant'
                ? new Date(Number(value)).toISOString()
                : String(value),
          ),
        )
    }
  })

  it('have their columns without rows, too', async () => {
    const idle = await backtest(defineStrategy({ name: 'idle', onStart: () => undefined }), {
      scenario: compiledScenario(busyScenario),
    })
    const orders = makeRunTables(idle).orders
    expect([...formatCsv(inOnePart(orders))].join('')).toBe(
      `${[...orders.columns].map(([name, { kind }]) => fileName(name, kind)).join(',')}\n`,
    )
    expect(
      await parquetReadObjects({ file: (await createTableParquet(inOnePart(orders))).slice().buffer }),
    ).toEqual([])
  })

  it('have equal bytes whether orders come in parts or all at once', async () => {
    const { made, orders } = countOrders(partRows.first + 2507)
    const parts = listTableParts({ ...run, orders })
    expect(made()).toBe(0)
    const whole = Object.values(makeRunTables({ ...run, orders: [...orders] }))
    expect(parts.map(({ name }) => name)).toEqual(whole.map(({ name }) => name))
    for (const [place, table] of whole.entries()) {
      const given = parts[place] ?? inOnePart(table)
      expect(await createTableParquet(given), table.name).toEqual(await createTableParquet(inOnePart(table)))
      expect([...formatCsv(given)].join(''), table.name).toBe([...formatCsv(inOnePart(table))].join(''))
    }
  })

  it('are made from some orders at a time, and no more than are asked for', () => {
    const { made, orders } = countOrders(partRows.first + partRows.later + 7)
    const [, table] = listTableParts({ ...run, orders })
    const rowsOf = (mostRows?: number) => [...(table?.parts(mostRows) ?? [])].map(({ rows }) => rows)
    for (const { rows } of table?.parts() ?? []) {
      expect([rows, made()]).toEqual([partRows.first, partRows.first + 1])
      break
    }
    expect(rowsOf()).toEqual([partRows.first, partRows.later, 7])
    expect(Math.max(...rowsOf(300))).toBe(300)
  })
})

/** Orders that are made when they are read, and how many have been. */
function countOrders(length: number) {
  const [first] = run.orders
  if (first === undefined) throw new Error('the run has orders')
  let made = 0
  const orders = {
    length,
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place += 1) {
        made += 1
        yield { ...first, orderId: `${place}`, price: place % 3 === 0 ? null : place }
      }
    },
  }
  return { orders, made: () => made }
}
