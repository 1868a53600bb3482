import { formatId } from '../../api/answer.ts'
import type { FailureAnswer } from '../../api/explain/explain-failure.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import { millis } from '../../numeric/units.ts'
import type { CompiledScenario, Expectation } from '../../scenario/compile/compiled.ts'
import { listReadouts } from '../../scenario/predicates/predicate.ts'
import type { Readout } from '../../scenario/predicates/readouts.ts'
import { systemWallClock } from '../../world/clock.ts'
import { createMemoryJournals } from '../../world/journals/journal-store.ts'
import { noReplayLimit, replayJournal } from '../../world/journals/replay.ts'
import { noteFailure } from '../../world/logs/test-failure.ts'
import { explainWorld } from '../../world/views/failure-facts.ts'
import type { World } from '../../world/world.ts'
import { defaultWorld, Worlds } from '../../world/worlds.ts'
import { CliFailure, usageFailure } from '../failure.ts'
import { writeOutput } from '../files.ts'
import { type ShownWorld, showReplayed } from '../journal/replay.ts'
import { buildPage } from '../journal/show.ts'
import { journalFailure, withJournal } from '../read-journal.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import type { PageOfFailure } from './report-html.ts'
import type { RunTask } from './run-one.ts'
import { type FailedCheck, type FailedPlace, listFailures, type RunReport } from './run-report.ts'

/** The most pages beside a report. Each holds the console and is a run of its own up to its moment. */
const maximumPages = 5
/** The most moments of the past in a page: the newest ones before the failure. */
const maximumMoments = 120

/**
 * Writes the console at each failure of a report as a page beside it: the world as it was then, with what the
 * expectation is about selected. Says on stderr how many failures have no page. Returns the page of a failure.
 */
export async function writeFailurePages(
  html: string,
  runs: readonly (readonly [RunReport, RunTask])[],
  terminal: Terminal,
): Promise<PageOfFailure> {
  const pages = new Map<string, string>()
  const wanted = runs.flatMap(([report, task]) =>
    listFailures(report).flatMap((failed) => {
      const { moment } = failed.failure
      return moment === undefined ? [] : [{ report, task, failed, moment }]
    }),
  )
  for (const [index, { report, task, failed, moment }] of wanted.slice(0, maximumPages).entries()) {
    const file = html.replace(/(?:\.html?)?$/, `.failure-${index + 1}.html`)
    const place = await tryWritePage(file, { report, task, failed, moment }, terminal)
    if (place === null) return () => null
    pages.set(keyOf(report, failed), `${encodeURIComponent(baseName(file))}${place}`)
  }
  const left = wanted.length - maximumPages
  if (left > 0)
    terminal.err(
      `${html}: ${left} more failures have no page of the console, only the first ${maximumPages}\n`,
    )
  return (report, failed) => pages.get(keyOf(report, failed)) ?? null
}

const keyOf = ({ name }: RunReport, { failure: { moment } }: FailedCheck): string =>
  `${moment?.expectation} ${moment?.atMillis} ${name}`

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

interface FailureInRun {
  readonly report: RunReport
  readonly task: RunTask
  readonly failed: FailedCheck
  readonly moment: FailedPlace
}

/** Returns what the page's address selects; null, after saying why, where there can be no page. */
async function tryWritePage(file: string, found: FailureInRun, terminal: Terminal): Promise<string | null> {
  try {
    const shown = showFailure(found, terminal)
    writeOutput(terminal, file, await buildPage(shown, { mostMoments: maximumMoments }))
    return shown.place
  } catch (error) {
    // The verdict of the run matters more than its page.
    if (!(error instanceof CliFailure)) throw error
    terminal.err(`no page of the console for ${found.report.name}: ${error.message}\n`)
    return null
  }
}

function showFailure({ report, task, failed, moment }: FailureInRun, terminal: Terminal): ShownWorld {
  const { opened, variant } = task
  const { failure, message, text } = failed
  const { atMillis, expectation: index } = moment
  const scenario = opened.compile(variant)
  const { journal } = report
  const { worlds, world } =
    journal === undefined ? playScenario(scenario, atMillis) : replayRun(journal, atMillis, terminal)
  const expectation = scenario.expectations[index]
  const subject = expectation === undefined ? noSubject : findSubject(world, scenario, expectation)
  const said = [
    ...(message === null ? [] : [message]),
    `expected ${failure.expected}`,
    `got      ${failure.got}`,
  ]
  const known = explainWorld(world, [...said, subject.about?.id ?? ''].join('\n'))
  // A run without a client has no requests: what the venue knows is worth telling where an order or quote is in question.
  const isTold = journal !== undefined || subject.about !== null
  const answer: FailureAnswer = {
    sentences: isTold ? known.sentences : [],
    about: subject.about ?? (isTold ? known.about : null),
    account: subject.account ?? (isTold ? known.account : null),
  }
  const noted = noteFailure(world, `${report.name}: ${text}`, said.join('\n'), answer)
  const words = new URLSearchParams({ world: world.id })
  if (noted.account !== null) words.set('account', noted.account)
  if (subject.asset !== null) words.set('asset', subject.asset)
  if (noted.about !== null) words.set(noted.about.kind, noted.about.id)
  return { worlds, world, place: `#${words}`, failure: world.failure }
}

/** Plays a scenario to an instant in a world whose clock stands still there. */
function playScenario(scenario: CompiledScenario, atMillis: number) {
  const worlds = new Worlds(systemWallClock, createMemoryJournals(version))
  const made = worlds.create(scenario, { id: defaultWorld, clock: { mode: 'manual' } })
  if (!made.ok) throw usageFailure(`${scenario.name}: two accounts have the same key`)
  made.world.time.passTimeTo(millis(atMillis))
  return { worlds, world: made.world }
}

/** Replays the journal that a run with a client has left, to an instant. */
function replayRun(journal: string, atMillis: number, terminal: Terminal) {
  const until = { ...noReplayLimit, atMillis }
  const replayed = withJournal(journal, terminal, (lines) => replayJournal(lines, until))
  if (replayed.kind !== 'done') throw journalFailure(journal, replayed)
  if (atMillis > replayed.world.now) replayed.world.time.passTimeTo(millis(atMillis))
  return showReplayed(journal, replayed, terminal)
}

interface Subject {
  readonly about: FailureAnswer['about']
  readonly account: string | null
  readonly asset: string | null
}

const noSubject: Subject = { about: null, account: null, asset: null }

/** Finds what an expectation is about by the read-outs in it: an order or quote, an account, an asset. */
function findSubject(
  world: World,
  { access, venue }: CompiledScenario,
  { predicate, to }: Expectation,
): Subject {
  const parts = [...predicate.parts, ...(to?.parts ?? [])]
  const readouts = parts.flatMap(({ expression }) =>
    [...listReadouts(expression)].map(({ readout }) => readout),
  )
  const [item = null] = readouts.flatMap((readout) => findItem(world, readout) ?? [])
  const account = item?.account ?? readouts.find((readout) => readout.account > 0)?.account ?? 0
  const asset = item?.asset ?? readouts.find((readout) => readout.asset > 0)?.asset ?? 0
  return {
    about: item?.about ?? null,
    account: access[account - firstClientAccount]?.id ?? null,
    asset: asset === 0 ? null : (venue.assets[asset]?.symbol ?? null),
  }
}

/** Finds the order or quote that a label of the script names; null where it names none yet. */
function findItem({ idScheme, running, venue }: World, { family, label }: Readout) {
  if (family !== 'order' && family !== 'quote') return null
  const { named } = running.script
  const row = (family === 'order' ? named.orders : named.quotes).get(label)
  if (row === undefined) return null
  const table = family === 'order' ? venue.state.orders : venue.state.quotes
  const about = { kind: family, id: formatId(idScheme, family, row) } as const
  return { about, account: table.account.get(row), asset: table.asset.get(row) }
}
