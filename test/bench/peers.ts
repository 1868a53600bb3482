import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compareFills, measureBars, measureSweep } from './peers/bars.ts'
import { measureCold } from './peers/cold.ts'
import { measureOrders } from './peers/orders.ts'
import { peerPackages, workshop } from './peers/programs.ts'

/*
 * Backtests beside others': one strategy (long one unit while the 20-bar average is above the 60-bar one) on recordings
 * of one's own, in processes that alternate. `npm run bench peers -- FILE...` installs the peers into
 * `.otcsim/peers/python` once, and prints the table as Markdown with the bars that were promised; exit code 1 where one
 * is missed. Processor time counts; wall clocks say what else the machine did. Node compiles while it runs, so there are
 * two processes a contender: one that runs once, as a user's command does, and one that runs over and over, as each
 * worker of a sweep does. With `--sweep`, 200 pairs of averages on the last two years of each file, with one worker and
 * with two. With `--compare` it only holds our fills and final equity, without fees, spread and impact, against
 * backtesting.py's, to the cent. With `--orders`, which needs no files, orders a second from a strategy with 20 and 1,000
 * at rest, beside nautilus_trader and hftbacktest. With `--cold`, which needs no files either, whole processes from cold
 * beside backtesting.py's: JavaScript and TypeScript, first and second run, on drawn 4 h candles, hours and a year of
 * minutes (`-- --cold hours.csv` for one of them). CSV files of candles: ts_ms,open,high,low,close,volume. Run it after
 * `npm run build`.
 */

const { positionals: files, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
    orders: { type: 'boolean', default: false },
    sweep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
})
const rounds = Number(flags.rounds)

if (flags.cold) await measureCold(files, rounds)
else if (flags.orders) await measureOrders(rounds)
else if (files.length === 0) throw new Error('name the recordings: CSV files of candles')
else {
  await workshop.prepare({ pip: peerPackages }).catch((cause) => {
    throw new Error('the peers need Python 3.11 or later, with venv and pip', { cause })
  })
  for (const file of files.map((name) => resolve(name))) {
    if (flags.compare) await compareFills(file)
    else if (flags.sweep) await measureSweep(file, rounds)
    else await measureBars(file, rounds)
  }
}
