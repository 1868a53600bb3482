import type { Command } from 'commander'

/* What the help of a command shows besides its options: what belongs together, and how it is used. */

/** Puts options under headings, and examples below them. */
export function completeHelp(command: Command, name: string): void {
  if (command.options.length >= fewestForHeadings) {
    const [family = ''] = name.split(' ')
    const own = [...(headingsOf[family] ?? []), ...headings]
    for (const option of command.options) {
      const long = option.long?.slice(2) ?? ''
      const heading = own.find(({ options }) => options.split(' ').includes(long))?.heading
      if (heading !== undefined) option.helpGroup(`${heading}:`)
    }
  }
  const lines = (examples[name] ?? []).map(([words, what]) => `  otcsim ${words}\n      ${what}`)
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  for (const part of command.commands) completeHelp(part, `${name} ${part.name()}`)
}

/** Fewer are read at a glance. */
const fewestForHeadings = 7

interface Heading {
  readonly heading: string
  /** Long names, separated by spaces. */
  readonly options: string
}

/** For every command; the first heading that has an option counts. */
const headings: readonly Heading[] = [
  {
    heading: 'World and market',
    options:
      'scenario seed seeds clock readings param data volume-in model asset price grid span from to account world',
  },
  { heading: 'Listening', options: 'port host admin-port admin-token cors' },
  { heading: 'Journal', options: 'journal journal-dir journal-sync' },
  { heading: 'Strategy', options: 'set walk-forward warm-up tick client latency rate-limits' },
  { heading: 'Money', options: 'cash margin maker-bps taker-bps' },
  { heading: 'Figures', options: 'equity-grid risk-free-rate objective assert among' },
  { heading: 'What runs', options: 'only shard bail update watch depth pairwise require no-faults requests' },
  { heading: 'Work', options: 'jobs queue queue-name budget store fresh timeout wall-limit' },
  { heading: 'Request', options: 'data key secret url timestamp against' },
  {
    heading: 'Results',
    options: 'json html parquet ndjson out output report reporter pins ready-file include print-curl',
  },
  { heading: 'Settings', options: 'config' },
]

/** Where a word means something else. */
const headingsOf: { readonly [family: string]: readonly Heading[] } = {
  backtest: [
    { heading: 'A running service', options: 'live clock api-key api-secret admin-token' },
    { heading: 'Stopping and going on', options: 'capture-at capture resume' },
    { heading: 'Results', options: 'journal' },
  ],
  run: [{ heading: 'Client', options: 'client account wall-limit' }],
  curl: [{ heading: 'Request', options: 'account' }],
}

type Example = readonly [words: string, what: string]

export const examples: { readonly [command: string]: readonly Example[] } = {
  serve: [
    ['serve --port 0 --json', 'any free port; the first line on stdout says which'],
    [
      'serve --scenario thin-book --clock manual',
      'a shipped scenario, whose time moves only when it is asked to',
    ],
    ['serve --journal desk.journal', 'what has happened is there again after the next start'],
    ['serve --readings @published-client', 'answers as the published client expects them'],
  ],
  run: [
    ['run scenarios/*.yaml', 'every file, with its expectations'],
    ['run calm.yaml --reporter pretty,junit:report.xml', 'a report for people, and one for the build server'],
    ['run calm.yaml --client "npm test"', 'beside a program of your own'],
  ],
  backtest: [
    ['backtest maker.ts --scenario calm --set spreadBps=12', 'one run, with a parameter of the strategy'],
    ['backtest maker.ts --data btc.csv --html report.html', 'on recorded prices, with a report'],
    [
      'backtest maker.ts --model heston --assert "sharpe >= 0"',
      'exit code 1 when the condition does not hold',
    ],
  ],
  sweep: [
    ['sweep maker.ts --seeds 1..20 --set spreadBps=4,8,16', 'every combination, on all processors'],
    ['sweep maker.ts --seeds 1..20 --walk-forward 30d/7d', 'chosen in one window and measured in the next'],
  ],
  'sweep plan': [['sweep plan maker.ts --seeds 1..100 --out plan.json', 'the cases, to be run elsewhere']],
  'sweep run': [['sweep run plan.json --shard 1/4 --store part-1.ndjson', 'a quarter of them']],
  'sweep merge': [['sweep merge part-*.ndjson --html sweep.html', 'one report of all parts']],
  worker: [['worker --queue redis://127.0.0.1:6379', 'takes cases until it is stopped']],
  replay: [
    ['replay desk.journal --verify', 'exit code 3 when anything differs from what was written down'],
    ['replay desk.journal --until 120 --serve', 'the world as it was after line 120, over HTTP'],
  ],
  show: [
    ['show .otcsim/fills-1.journal', 'the world, the account and the requests of a test that has failed'],
  ],
  diff: [['diff yesterday.journal today.journal', 'the first line in which they differ']],
  shrink: [
    [
      `shrink desk.journal --assert 'order[ord_18].status == "open"' -o short.journal`,
      'the lines that it takes',
    ],
  ],
  exec: [
    ['exec -- npm test', 'OTC_BASE_URL, OTC_API_KEY and OTC_API_SECRET tell the program where the venue is'],
  ],
  matrix: [['matrix --pairwise -- npm test', 'your tests under pairs of readings and faults']],
  drift: [['drift --har recording.har', 'what a browser has recorded of the real venue']],
  fuzz: [['fuzz --requests 500 --seed 7', 'against a venue of its own']],
  curl: [
    ['curl GET /orders', 'signed with the key of the default account'],
    [`curl POST /orders -d '{"side":"buy","asset":"BTC","quantity":0.1,"price":50000}'`, 'with a body'],
  ],
  sign: [['sign GET /orders --timestamp 1700000000000', 'to compare with a signer of your own']],
  keys: [['keys --json', 'for programs']],
  init: [['init my-venue', 'in a folder of its own']],
  validate: [['validate scenarios/*.yaml', 'all mistakes of all files, each with its place']],
  schema: [['schema scenario > scenario.schema.json', 'for completion in editors']],
  openapi: [
    ['openapi > venue.json', 'the venue'],
    ['openapi --admin > admin.json', 'the admin API'],
  ],
  readings: [['readings --preset published-client', 'with the evidence for each']],
  doctor: [['doctor btc.csv', 'what the file holds, and how to use it']],
  paths: [['paths --model garch --seeds 1..50 --span 30d --out paths.html', 'a fan of fifty']],
  completion: [
    ['completion bash > ~/.local/share/bash-completion/completions/otcsim', 'from the next shell on'],
    ['completion zsh > ~/.zsh/completions/_otcsim', 'from the next shell on'],
    ['completion fish > ~/.config/fish/completions/otcsim.fish', 'from the next shell on'],
    ['completion powershell | Out-String | Invoke-Expression', 'in this shell; in $PROFILE for all'],
  ],
}
