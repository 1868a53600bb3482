import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { type FinalResults, Parser, type Result } from 'tap-parser'
import { isObject, parseJson } from '../../api/json.ts'
import { type Readings, resolveReadings } from '../../api/readings/readings.ts'
import { assert } from '../../numeric/assert.ts'
import { evidenceVariable, readWorldUses, type WorldUse } from '../../testing/test-settings.ts'
import { installFault } from '../../world/change-world.ts'
import type { World } from '../../world/world.ts'
import { WorldWatch } from '../../world/world-watch.ts'
import { runChild } from '../run-child.ts'
import { buildEnvironment } from '../serve/child-environment.ts'
import { type FirstWorldOptions, startVenueLike } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'
import { formatSetting, type MatrixCell } from './matrix-cells.ts'

export type CellOutcome = Awaited<ReturnType<typeof runCell>>

export interface SuiteOptions {
  readonly words: readonly string[]
  readonly account: string | null
  readonly timeoutMillis: number
  /** What the world of each cell is like, but for the cell's own readings and fault. */
  readonly world: World
  /** The readings of the first run. */
  readonly usual: Readings
  /** The options that decided this, for worlds that tests make. */
  readonly chosen: FirstWorldOptions
  /** Ends the current runs, and with them the whole matrix. */
  readonly stop: AbortSignal
}

const maximumOutputLength = 4000

/**
 * Runs a suite beside a venue of its own, so that whatever it asks there, it asks under the cell's readings and fault.
 * Only the end of its output is kept. `met` is what the requests to this venue and to the worlds of the tests have met.
 */
export async function runCell(
  cell: MatrixCell,
  { words, account, timeoutMillis, world, usual, chosen, stop }: SuiteOptions,
  terminal: Terminal,
) {
  const settings = Object.fromEntries(cell.settings.map(({ key, value }) => [key, value]))
  const readings = resolveReadings(settings, usual)
  assert(readings.ok, 'a cell has known readings')
  const watch = new WorldWatch()
  const prepare = (made: World, isFork: boolean): void => {
    made.watch = watch
    if (cell.fault !== null && !isFork) watch.addFault(installFault(made, cell.fault).rule)
  }
  const venue = await startVenueLike(world, { readings: readings.value, prepare }, terminal)
  const report = join(tmpdir(), `otcsim-${randomUUID()}.report`)
  const evidence = join(tmpdir(), `otcsim-${randomUUID()}.evidence`)
  let [out, all] = ['', '']
  try {
    const end = await runChild(words, {
      cwd: terminal.cwd,
      env: {
        ...buildEnvironment(terminal, venue.server, venue.world, account, chosen),
        OTC_REPORT_FILE: report,
        [evidenceVariable]: evidence,
      },
      timeoutMillis,
      onOutput: (text, isErr) => {
        if (!isErr) out += text
        all = (all + text).slice(-maximumOutputLength)
      },
      onStop: (listener) => {
        stop.addEventListener('abort', listener)
        return () => stop.removeEventListener('abort', listener)
      },
      graceMillis: 2000,
    })
    const met = addUp(cell, [watch.take(), ...readWorldUses(evidence)])
    const written = existsSync(report) ? readFileSync(report, 'utf8') : null
    const tests = readTestResults(written ?? out)
    return { cell, ...end, met, tests, isReportUnread: written !== null && tests === null, output: all }
  } finally {
    for (const file of [evidence, report]) rmSync(file, { force: true })
    await venue.close()
  }
}

/**
 * Adds up what the worlds of one run have met. A cell has been tried when each of its readings was looked up with its
 * value, or its fault has struck.
 */
function addUp({ settings, fault }: MatrixCell, uses: readonly WorldUse[]) {
  const requests = uses.reduce((sum, use) => sum + use.requests, 0)
  const lookups = new Set(uses.flatMap((use) => use.settings))
  const isMet =
    fault === null
      ? settings.every((setting) => lookups.has(formatSetting(setting)))
      : uses.some(({ strikes }) => strikes > 0)
  return { requests, isMet }
}

/** Processes all items, at most `jobs` at a time. Results are in the order of the items. */
export async function runInParallel<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    for (const [place, item] of waiting) results[place] = await work(item)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
  return results
}

/*
 * Parsing the output of test runners: the JSON of vitest and jest, JUnit's XML, TAP, and the marks of Node's own
 * reporter.
 */

interface TestResults {
  /** The names of the tests, as often as a test of that name has passed. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** These have passed, too, but had failed before their runner repeated them. */
  readonly retried: readonly string[]
  /** Whether the report is complete. One that ends in its midst proves nothing about the tests that it lacks. */
  readonly isWhole: boolean
}

/** Reads which tests passed and failed from a runner's output. Returns null when the output has no known format. */
export function readTestResults(text: string): TestResults | null {
  return parseJsonResults(text) ?? parseJunitResults(text) ?? parseTapResults(text) ?? parseMarks(text)
}

function parseJsonResults(text: string): TestResults | null {
  const start = text.search(/\{\s*"num[A-Z]/)
  if (start === -1) return null
  const suites = readList(parseJson(text.slice(start, text.lastIndexOf('}') + 1)), 'testResults')
  if (suites === null) return { passed: [], failed: [], retried: [], isWhole: false }
  const tests = suites.flatMap((suite) => readList(suite, 'assertionResults') ?? [])
  const select = (status: string) => tests.filter((test) => readText(test, 'status') === status)
  const nameOf = (test: unknown): string => readText(test, 'fullName').trim()
  const passed = select('passed')
  const broken = suites
    .filter(
      (suite) =>
        readText(suite, 'status') === 'failed' && (readList(suite, 'assertionResults') ?? []).length === 0,
    )
    .map((suite) => readText(suite, 'name'))
  return {
    passed: passed.map(nameOf),
    failed: [...select('failed').map(nameOf), ...broken],
    retried: passed.filter(wasRetried).map(nameOf),
    isWhole: true,
  }
}

/**
 * Returns whether a test was run again. jest counts how often it has run a test, and vitest keeps the failures of a
 * test that has passed in the end.
 */
function wasRetried(test: unknown): boolean {
  const runs = isObject(test) ? test['invocations'] : null
  return (typeof runs === 'number' && runs > 1) || (readList(test, 'failureMessages') ?? []).length > 0
}

function readList(value: unknown, key: string): readonly unknown[] | null {
  const member = isObject(value) ? value[key] : null
  return Array.isArray(member) ? member : null
}

function readText(value: unknown, key: string): string {
  const member = isObject(value) ? value[key] : null
  return typeof member === 'string' ? member : ''
}

function parseJunitResults(text: string): TestResults | null {
  const start = text.indexOf('<testsuite')
  if (start === -1) return null
  const passed: string[] = []
  const failed: string[] = []
  const retried: string[] = []
  for (const { attributes, parts } of listTestCases(parseXml(text.slice(start)))) {
    const name = [readText(attributes, 'classname'), readText(attributes, 'name')]
      .filter((part) => part !== '')
      .join(' > ')
    if (parts.has('failure') || parts.has('error')) failed.push(name)
    else if (!parts.has('skipped')) {
      passed.push(name)
      if (retryMarks.some((mark) => parts.has(mark))) retried.push(name)
    }
  }
  const opened = text.match(/<testsuites?\b(?![^>]*\/>)/g) ?? []
  const closed = text.match(/<\/testsuites?>/g) ?? []
  return { passed, failed, retried, isWhole: opened.length === closed.length }
}

/** The elements by which runners say that a test has failed before it passed. Source: the schema of Maven Surefire. */
const retryMarks = ['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError']

const junit = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  htmlEntities: true,
})

/** Parses XML up to the last closed suite, because runners print other lines around it. Malformed XML has no nodes. */
function parseXml(text: string): unknown {
  const last = text.lastIndexOf('</testsuite')
  try {
    return junit.parse(last === -1 ? text : text.slice(0, text.indexOf('>', last) + 1))
  } catch {
    return []
  }
}

interface TestCase {
  readonly attributes: unknown
  /** The names of the elements inside the test case. */
  readonly parts: ReadonlySet<string>
}

/** Lists the test cases at any depth, in document order. */
function listTestCases(nodes: unknown): readonly TestCase[] {
  if (!Array.isArray(nodes)) return []
  return nodes.filter(isObject).flatMap(({ ':@': attributes, ...element }) => {
    const inside = readList(element, 'testcase')
    if (inside === null) return Object.values(element).flatMap(listTestCases)
    return [{ attributes, parts: new Set(inside.filter(isObject).flatMap(Object.keys)) }]
  })
}

function parseTapResults(text: string): TestResults | null {
  if (!/^TAP version 1[34]$/m.test(text) && !/^1\.\.\d+$/m.test(text)) return null
  const passed: string[] = []
  const failed: string[] = []
  /**
   * Listens to a parser and its children. Nested tests come before their parent, whose failure is not counted again.
   */
  const listen = (parser: Parser): void => {
    let failedBefore = failed.length
    parser.on('child', listen)
    parser.on('assert', ({ ok, name, skip, todo, closingTestPoint }: Result) => {
      const isCounted = closingTestPoint && failed.length > failedBefore
      if (skip === false && todo === false) {
        if (ok) passed.push(name)
        else if (!isCounted) failed.push(name)
      }
      failedBefore = failed.length
    })
  }
  const parser = new Parser()
  listen(parser)
  let count = 0
  parser.on('complete', ({ count: all }: FinalResults) => {
    count = all
  })
  parser.end(text)
  const [, planned = null] = /^1\.\.(\d+)/m.exec(text) ?? []
  return { passed, failed, retried: [], isWhole: planned !== null && Number(planned) === count }
}

/** Parses lines such as `✔ name (1.2ms)`, `✖ name`, `✓ name 3ms` and `× name`. Returns null without any. */
function parseMarks(text: string): TestResults | null {
  const findMarked = (marks: string): string[] => {
    const lines = text
      .replace(ansi, '')
      .matchAll(new RegExp(`^\\s*[${marks}] +(.+?)(?: \\(?[\\d.]+ ?ms\\)?)?$`, 'gm'))
    return [...new Set([...lines].map(([, name = '']) => name))].filter(
      (name) => !/^failing tests:/.test(name),
    )
  }
  const [passed, failed] = [findMarked('✔✓'), findMarked('✖×')]
  return passed.length + failed.length === 0 ? null : { passed, failed, retried: [], isWhole: true }
}

const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
