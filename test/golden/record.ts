import { writeFileSync } from 'node:fs'
import process from 'node:process'
import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { millis } from '../../src/numeric/units.ts'
import { startMillis } from '../arbitraries/configs.ts'
import { movingConfig } from '../properties/moving-config.ts'
import { recordedCommands } from '../properties/whole-run.ts'
import { marketDay, modelHour } from './living-markets.ts'
import { bookMinute } from './recorded-book.ts'
import { replay } from './replay.ts'
import type { GoldenVector } from './vector.ts'
import { writeVectors } from './vector.ts'

/*
 * Writes the golden vectors to the file named on the command line. Run it only when the engine's behaviour or its digest
 * is meant to change; the new file is then part of that change.
 */
const steps = 120
const crowded = recordedCommands({ hasLadder: true, makerRate: -200, takerRate: 3333 }, 91, steps)
const received = recordedCommands({ feeCurrency: 'received', selfTrade: 'cancel_both', makerRate: 500 }, 92, steps)
const dayOfMarket = marketDay()
const hourOfModels = modelHour()
const bookLog = bookMinute('log', 1)
const bookPower = bookMinute('power3', 2.5)
const vectors = [
  golden('crowded', crowded.config, crowded.commands),
  golden('received', received.config, received.commands),
  golden('gbm', movingConfig({ kind: 'gbm', vol: 60, drift: 0.1 }), inTime(recordedCommands({}, 93, steps).commands)),
  golden(
    'ou',
    movingConfig({ kind: 'ou', mean: 50, halfLifeMillis: 10_000, stationarySd: 0.03 }),
    inTime(recordedCommands({}, 94, steps).commands),
  ),
  golden(
    'waypoints',
    movingConfig({
      kind: 'waypoints',
      points: [
        { offsetMillis: 0, price: 50 },
        { offsetMillis: 60_000, price: 45 },
      ],
      noiseVol: 40,
    }),
    inTime(recordedCommands({}, 95, steps).commands),
  ),
  golden('market day', dayOfMarket.config, dayOfMarket.commands),
  golden('models', hourOfModels.config, hourOfModels.commands),
  golden('book, log', bookLog.config, bookLog.commands),
  golden('book, power3', bookPower.config, bookPower.commands),
]
const [, , file] = process.argv
if (file === undefined) throw new Error('Name the file to write')
writeFileSync(file, writeVectors(vectors))

function golden(name: string, config: VenueConfig, commands: readonly Command[]): GoldenVector {
  return { name, config, commands, ...replay({ config, commands }) }
}

/** Puts the commands 700 milliseconds apart, so that the market moves between them. */
function inTime(commands: readonly Command[]): readonly Command[] {
  return commands.map((command, place) => ({ ...command, at: millis(startMillis + 700 * place) }))
}
