import { noReplayLimit, replayJournal } from '../../world/journals/replay.ts'
import {
  countStories,
  describeFill,
  findStory,
  listStories,
  type OrderStory,
} from '../../world/views/order-stories.ts'
import type { World } from '../../world/world.ts'
import { defineCommand } from '../define-command.ts'
import { formatEvidence } from '../evidence.ts'
import { dataFailure, formatSuggestion, usageFailure } from '../failure.ts'
import { aFlag, aSwitch, type FlagsOf } from '../flags.ts'
import { journalFailure, withJournal } from '../read-journal.ts'
import { formatCount, jsonLine, type Terminal } from '../terminal.ts'
import { parseUntil } from './replay.ts'

const explainFlags = {
  account: aFlag('<id>', 'only the orders and quotes of this account'),
  until: aFlag('<place>', 'as it was after this sequence, or before the first line after this instant'),
  json: aSwitch('a line of JSON for each order and quote'),
}

export const explainCommand = defineCommand({
  flags: explainFlags,
  takes: {
    '<journal>': 'the journal of a run, a venue or a failed test, plain or gzip',
    '[id]': 'an order or a quote, such as ord_3; all of them by default',
  },
  act: explain,
})

/**
 * Runs `otcsim explain`: replays a journal and explains what became of its orders and quotes, and why each fill came about.
 * Errors: the journal is missing or damaged, or holds no order or quote (5); a line has another outcome than recorded (3);
 * an id or account is not known (2).
 */
function explain(options: FlagsOf<typeof explainFlags>, terminal: Terminal, file: string, id?: string): void {
  const until = options.until === undefined ? noReplayLimit : parseUntil(options.until)
  const replayed = withJournal(file, terminal, (lines) => replayJournal(lines, until))
  if (replayed.kind !== 'done') throw journalFailure(file, replayed)
  const { lines, world } = replayed
  const account = findAccount(world, options.account)
  const counts = countStories(world)
  if (counts.order + counts.quote === 0)
    throw dataFailure(
      `${file}: there is nothing to explain: no order or quote in ${formatCount(lines, 'line')}`,
    )
  const stories = id === undefined ? listStories(world, account) : [findWanted(world, id, counts)]
  if (options.json === true) {
    for (const story of stories) terminal.out(jsonLine(story))
    return
  }
  let explained = 0
  for (const story of stories) {
    terminal.out(formatStory(story))
    explained += 1
  }
  const all = `${formatCount(counts.order, 'order')} and ${formatCount(counts.quote, 'quote')}`
  terminal.err(`${formatEvidence({ lines })}; explained ${explained} of ${all}\n`)
}

const formatStory = ({ fills, sentence }: OrderStory): string =>
  [sentence, ...fills.map((fill) => `  ${describeFill(fill)}`), ''].join('\n')

function findWanted(world: World, id: string, { order, quote }: ReturnType<typeof countStories>): OrderStory {
  const story = findStory(world, id)
  if (story !== null) return story
  const all = `${formatCount(order, 'order')} and ${formatCount(quote, 'quote')}`
  throw usageFailure(`${id} is no order or quote of this journal, which has ${all}`)
}

function findAccount({ venue: { state } }: World, wanted: string | undefined): string | null {
  if (wanted === undefined) return null
  const { ids } = state.accounts
  if (ids.includes(wanted)) return wanted
  throw usageFailure(`--account: "${wanted}" is not known${formatSuggestion(wanted, ids, 'account')}`)
}
