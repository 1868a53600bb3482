/*
 * Runs a long program of a developer, bundled first if it is measured: `npm run bench NAME`, `npm run soak NAME`. Without a name it lists
 * what there is. Words after `--` go to the program: `npm run bench engine -- --quick`.
 */
import { execSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'tsdown'

/**
 * By kind and name: what it measures or holds, its entries (the first is the program), flags of Node, and whether it
 * wants the built package. `besides` are bundles of their own, by their folder inside of the program's. One that reads
 * and changes sources beside its own is not bundled.
 */
const programs = {
  bench: {
    engine: {
      about: 'order books from npm, our book and our engine on the same commands',
      entries: ['test/bench/main.ts', 'test/bench/worker.ts'],
    },
    http: {
      about: 'our server beside a plain Koa one and other mock servers',
      entries: ['test/bench/http.ts', 'test/bench/http/server.ts'],
      flags: ['--expose-gc'],
    },
    follow: {
      about: 'what a client costs that drives the venue by its clock, and that its lives are the same',
      entries: ['test/bench/follow.ts'],
      needsBuild: true,
    },
    worlds: {
      about: 'what worlds, snapshots and forks cost',
      entries: ['test/bench/worlds.ts'],
      flags: ['--expose-gc'],
    },
    journal: { about: 'what writing and replaying a journal costs', entries: ['test/bench/journal.ts'] },
    pauses: { about: 'the longest commands of ten million', entries: ['test/bench/pauses.ts'] },
    market: {
      about: 'what a moving market costs beside a bare random walk',
      entries: ['test/bench/market.ts'],
      flags: ['--expose-gc'],
    },
    books: {
      about: 'a day of a recorded book: read, passed, followed, made a market in; time and memory',
      entries: ['test/bench/books.ts', 'test/bench/books/task.ts'],
    },
    recordings: {
      about: 'reading a year of minutes: plain, gzip, prepared; beside the shortest way',
      entries: ['test/bench/recordings.ts', 'test/bench/recordings/task.ts'],
    },
    scenarios: { about: 'how fast shipped scenarios run', entries: ['test/bench/scenarios.ts'] },
    backtest: {
      about: 'bars and orders a second beside a peer from npm',
      entries: ['test/bench/backtest.ts'],
      flags: ['--expose-gc', '--no-flush-bytecode'],
      needsBuild: true,
    },
    'orders-out': {
      about: 'memory of the command that writes 604,800 orders as JSON',
      entries: ['test/bench/orders-out.ts'],
      needsBuild: true,
    },
    sweep: { about: 'cases a second with one worker and with two', entries: ['test/bench/sweep.ts'] },
    peers: {
      about:
        'backtests beside backtesting.py and nautilus_trader, on files of yours (--compare: fills alone)',
      entries: ['test/bench/peers.ts', 'test/bench/peers/in-process.ts'],
      besides: { strategy: 'test/bench/peers/ema-cross.ts' },
      needsBuild: true,
    },
    maker: {
      about: 'what a passive maker earns at each half-spread, thirty days a figure',
      entries: ['test/realism/maker-edge-table.ts'],
    },
    engines: {
      about: 'our engine beside exchange-core (needs a JDK and Maven)',
      entries: ['test/bench/engines.ts', 'test/bench/worker.ts'],
    },
  },
  soak: {
    http: {
      about: 'two million requests over connections that stay open',
      entries: ['test/soak/http.ts'],
      needsBuild: true,
    },
    worlds: {
      about: 'two hundred tests at once on one server, twenty times',
      entries: ['test/lifecycle/main.ts'],
      flags: ['--expose-gc'],
    },
    crash: { about: '`kill -9` two hundred times', entries: ['test/crash/main.ts'], needsBuild: true },
    starts: {
      about: 'two servers started at once on one journal, two thousand times',
      entries: ['test/crash/starts.ts'],
      needsBuild: true,
    },
    strategies: {
      about: 'forty strategies on four lengths of bars, which earn nothing from the default market',
      entries: ['test/realism/strategies-table.ts'],
    },
    clients: {
      about: 'two clients under every reading and fault',
      entries: ['test/matrix/main.ts'],
      needsBuild: true,
    },
    mutation: {
      about: 'small mistakes planted in five pure rooms, one at a time, and which tests notice',
      entries: ['test/mutation/main.ts'],
      isBundled: false,
    },
  },
}

const [kind = '', name = '', ...words] = process.argv.slice(2)
const ofKind = programs[kind] ?? {}
const program = ofKind[name]
if (program === undefined) {
  const isAsked = name === '' || name === '--help'
  if (!isAsked) console.error(`there is no ${kind} "${name}"`)
  console.log(`npm run ${kind} NAME [-- WORDS...]\n`)
  for (const [one, { about }] of Object.entries(ofKind)) console.log(`  ${one.padEnd(10)} ${about}`)
  process.exitCode = isAsked ? 0 : 2
} else {
  const { entries, besides = {}, flags = [], isBundled = true, needsBuild = false } = program
  const folder = `.otcsim/${kind}-${name}`
  if (needsBuild) execSync('node test/build/build.mjs --if-changed', { stdio: 'inherit' })
  const file = isBundled ? await bundleAll(entries, besides, folder) : entries[0]
  const loader = isBundled ? [] : ['--import', 'tsx']
  const run = spawnSync(process.execPath, [...loader, ...flags, file, ...words], { stdio: 'inherit' })
  process.exitCode = run.status ?? 1
}

async function bundleAll(entries, besides, folder) {
  rmSync(folder, { recursive: true, force: true })
  await bundle(entries, folder)
  for (const [part, entry] of Object.entries(besides)) await bundle([entry], `${folder}/${part}`)
  const [, base = ''] = /([^/]+)\.ts$/.exec(entries[0]) ?? []
  return `${folder}/${base}.mjs`
}

function bundle(entry, outDir) {
  return build({ config: false, entry, outDir, format: 'esm', dts: false, logLevel: 'error' })
}
