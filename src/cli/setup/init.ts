import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { editorSchema } from '../../scenario/schema/editor-schema.ts'
import type { Terminal } from '../terminal.ts'
import { writeNewFile } from '../write-file.ts'

/** `otcsim init [FOLDER]`: a configuration, a first scenario and the schema for editors; nothing is ever overwritten. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .argument('[folder]', 'the folder; the current one by default', '.')
    .action(async (folder: string) => {
      init(folder, terminal)
    })
}

const config = `# What otcsim takes where no flag and no OTCSIM_* variable says otherwise. Every long option has a key here, in
# camelCase: --admin-port is adminPort. "otcsim doctor" shows where each value comes from.
scenario: scenarios/first.yaml
port: 4010
`

const scenario = `# yaml-language-server: $schema=scenario.schema.json
# A first scenario: a market, an account, what happens and what must then be so. "otcsim run" plays it in virtual time.
version: 1
name: first
description: A bid rests 2 % below the market; bad news brings the price down to it.
seed: "7"
clock: { start: 2026-01-05T00:00:00Z, end: 10m }
market:
  assets:
    BTC: { price: 60000, model: { kind: gbm, vol: 0.5 } }
accounts:
  - { id: trader, balances: { USD: 100000 } }
timeline:
  - { at: +1m, order: { as: bid, account: trader, side: buy, asset: BTC, quantity: 1, price: -2% } }
  - { at: +2m, id: news, path: { asset: BTC, waypoints: [[+30s, -3%], [+60s, -1%]] } }
expect:
  - { at: news, that: "order[bid].status == 'open'" }
  - { by: news+30s, that: "order[bid].status == 'filled'", message: the fall reaches the bid }
  - { always: "account[trader].balance.USD.available >= 0" }
  - { at: end, that: { "account[trader].position.BTC.quantity": { eq: 1 } } }
`

/** Writes what does not exist yet, and prints what to do next. Errors: a place that cannot be written to. */
function init(folder: string, terminal: Terminal): void {
  const files: readonly (readonly [string, () => string])[] = [
    ['otcsim.config.yaml', () => config],
    ['scenarios/first.yaml', () => scenario],
    ['scenarios/scenario.schema.json', () => `${JSON.stringify(editorSchema(), null, 2)}\n`],
  ]
  for (const [name, text] of files) {
    const isNew = writeNewFile(terminal.cwd, join(folder, name), text())
    terminal.out(
      `${isNew ? 'wrote' : 'kept '}  ${relative(terminal.cwd, resolve(terminal.cwd, folder, name))}\n`,
    )
  }
  const inFolder = relative(terminal.cwd, resolve(terminal.cwd, folder))
  const enter = inFolder === '' ? '' : `  cd ${inFolder}\n`
  terminal.out(`
Next:
${enter}  otcsim run scenarios/first.yaml      plays the scenario, and checks what it expects
  otcsim serve                         serves its world on http://127.0.0.1:4010
  otcsim curl GET /market-data/prices  asks the served world, signed
`)
}
