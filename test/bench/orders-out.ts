import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

/*
 * The memory of the command `backtest --json` for a run that sends an order each second of a week, 604,800 in all: the
 * most that the whole process had at a time, as it tells itself at its end. Exit code 1: it is more than was promised, or
 * orders are missing. Run by `npm run bench orders-out` after `npm run build`.
 */

const seconds = 604_800
const mostMegabytes = 400

const strategy = `
const order = { side: 'buy', asset: 'BTC', quantity: 0.1 }
export default {
  name: 'rests',
  tick: '1s',
  assets: () => ['BTC'],
  state: () => ({ orderId: null, sent: 0 }),
  onTick({ state, sync }) {
    if (state.orderId !== null) sync.orders.cancel(state.orderId)
    state.sent += 1
    state.orderId = sync.orders.create({ ...order, price: 20_000 + (state.sent % 100) }).orderId
  },
}
`
const tellMemory = 'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))'

const folder = mkdtempSync(join(tmpdir(), 'otcsim-bench-'))
const file = join(folder, 'rests.mjs')
writeFileSync(file, strategy)
const child = spawn(
  process.execPath,
  [
    ...['--import', `data:text/javascript,${encodeURIComponent(tellMemory)}`, resolve('dist/cli.cjs')],
    ...['backtest', file, '--model', 'gbm,vol=0.6', '--to', `${seconds}s`, '--seed', '7', '--json'],
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
)
const told = text(child.stderr)
let orders = 0
let bytes = 0
let rest = ''
for await (const piece of child.stdout) {
  bytes += piece.length
  const parts = (rest + piece.toString('latin1')).split('"orderId":')
  orders += parts.length - 1
  rest = (parts.at(-1) ?? '').slice(-'"orderId":'.length)
}
const said = await told
rmSync(folder, { recursive: true })
const megabytes = (Number(/peak (\d+)/.exec(said)?.[1]) * 1024) / 1e6
console.log(`${orders} orders out in ${(bytes / 1e6).toFixed(0)} MB of JSON`)
if (orders !== seconds) console.log(`MISSED all orders: ${said}`)
console.log(
  `${megabytes <= mostMegabytes ? 'held  ' : 'MISSED'} memory of the command, MB: ${megabytes.toFixed(0)}, at most ${mostMegabytes}`,
)
process.exitCode = orders === seconds && megabytes <= mostMegabytes ? 0 : 1
