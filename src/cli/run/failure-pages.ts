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
 * Writes the console at each instant at which something failed as a page beside a report: the world as it was then.
 * Failures of one instant share a page, and each address selects what its expectation is about. Says on stderr how many
 * failures have no page. Returns the address of a failure.
 */
export async function writeFailurePages(
  html: string,
  runs: readonly (readonly [RunReport, RunTask])[],
  terminal: Terminal,
): Promise<PageOfFailure> {
  const addresses = new Map<string, string>()
  const instants = runs.flatMap(([report, task]) => listInstants(report, task))
  for (const [index, instant] of instants.slice(0, maximumPages).entries()) {
    const file = html.replace(/(?:\.html?)?$/, `.failure-${index + 1}.html`)
    const places = await tryWritePage(file, instant, terminal)
    if (places === null) return () => null
    for (const [place, { failed }] of instant.failures.entries())
      addresses.set(keyOf(instant.report, failed), `${encodeURIComponent(baseName(file))}${places[place]}`)
  }
  const left = instants.slice(maximumPages).reduce((count, { failures }) => count + failures.length, 0)
  if (left > 0)
    terminal.err(
      `${html}: ${left} more failures have no page of the console, only those at the first ${maximumPages} instants\n`,
    )
  return (report, failed) => addresses.get(keyOf(report, failed)) ?? null
}

const keyOf = ({ name }: RunReport, { failure: { moment } }: FailedCheck): string =>
  `${moment?.expectation} ${moment?.atMillis} ${name}`

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

/** What failed at one instant of a run, in the order of the report. */
interface FailedInstant {
  readonly report: RunReport
  readonly task: RunTask
  readonly atMillis: number
  readonly failures: readonly { readonly failed: FailedCheck; readonly moment: FailedPlace }[]
}

/** Lists the instants of a run at which something failed, in the order of the report. */
function listInstants(report: RunReport, task: RunTask): readonly FailedInstant[] {
  const failures = listFailures(report).flatMap((failed) => {
    const { moment } = failed.failure
    return moment === undefined ? [] : [{ failed, moment }]
  })
  return [...new Set(failures.map(({ moment }) => moment.atMillis))].map((atMillis) => ({
    report,
    task,
    atMillis,
    failures: failures.filter(({ moment }) => moment.atMillis === atMillis),
  }))
}

/** Returns what the address of each failure selects; null, after saying why, where there can be no page. */
async function tryWritePage(
  file: string,
  instant: FailedInstant,
  terminal: Terminal,
): Promise<readonly string[] | null> {
  try {
    const { shown, places } = showInstant(instant, terminal)
    writeOutput(terminal, file, await buildPage(shown, { mostMoments: maximumMoments }))
    return places
  } catch (error) {
    // The verdict of the run matters more than its page.
    if (!(error instanceof CliFailure)) throw error
    terminal.err(`no page of the console for ${instant.report.name}: ${error.message}\n`)
    return null
  }
}

function showInstant({ report, task, atMillis, failures }: FailedInstant, terminal: Terminal) {
  const { opened, variant } = task
  const scenario = opened.compile(variant)
  const { journal } = report
  const { worlds, world } =
    journal === undefined ? playScenario(scenario, atMillis) : replayRun(journal, atMillis, terminal)
  const subjects = failures.map(({ moment }) => {
    const expectation = scenario.expectations[moment.expectation]
    return expectation === undefined ? noSubject : findSubject(world, scenario, expectation)
  })
  const said = failures.map(({ failed }) => formatFailed(failed)).join('\n\n')
  const known = explainWorld(world, [said, ...subjects.flatMap(({ about }) => about?.id ?? [])].join('\n'))
  const [first = noSubject] = subjects
  // A run without a client has no requests: what the venue knows is worth telling where an order or quote is in question.
  const isTold = journal !== undefined || subjects.some(({ about }) => about !== null)
  // Without requests only an expectation's own read-outs say what it is about.
  const fallback = journal === undefined ? noSubject : known
  const answer: FailureAnswer = {
    sentences: isTold ? known.sentences : [],
    about: first.about ?? fallback.about,
    account: first.account ?? fallback.account,
  }
  const texts = failures.map(({ failed }) => failed.text).join('; ')
  const noted = noteFailure(world, `${report.name}: ${texts}`, said, answer)
  const places = subjects.map((subject) => {
    const words = new URLSearchParams({ world: world.id })
    const account = subject.account ?? (journal === undefined ? null : noted.account)
    const about = subject.about ?? fallback.about
    if (account !== null) words.set('account', account)
    if (subject.asset !== null) words.set('asset', subject.asset)
    if (about !== null) words.set(about.kind, about.id)
    return `#${words}`
  })
  const shown: ShownWorld = { worlds, world, place: places[0] ?? '', failure: world.failure }
  return { shown, places }
}

const formatFailed = ({ failure, message }: FailedCheck): string =>
  [...(message === null ? [] : [message]), `expected ${failure.expected}`, `got      ${failure.got}`].join(
    '\n',
  )

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
