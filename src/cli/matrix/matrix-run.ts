import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { Parser, type Result } from 'tap-parser'
import { isObject, parseJson } from '../../api/json.ts'
import { resolveReadings } from '../../api/readings/readings.ts'
import { assert } from '../../numeric/assert.ts'
import { evidenceVariable, readWorldUses } from '../../testing/test-settings.ts'
import { installFault } from '../../world/change-world.ts'
import { runChild } from '../run-child.ts'
import { buildEnvironment } from '../serve/child-environment.ts'
import { createWorldLike, type LocalVenue } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'
import type { MatrixCell } from './matrix-cells.ts'

export type CellOutcome = Awaited<ReturnType<typeof runCell>>

export interface SuiteOptions {
  readonly words: readonly string[]
  readonly account: string | null
  readonly timeoutMillis: number
  /** Readings that are the same in all cells. */
  readonly pins: { readonly [key: string]: string }
  /** Ends the current runs, and with them the whole matrix. */
  readonly stop: AbortSignal
}

const maximumOutputLength = 4000

/**
 * Runs a suite in a world of its own, which is deleted afterwards. Only the end of its output is kept. `requests` are
 * those that this world and the worlds of the tests have received, `uses` what has become of the latter.
 */
export async function runCell(
  venue: LocalVenue,
  cell: MatrixCell,
  { words, account, timeoutMillis, pins, stop }: SuiteOptions,
  terminal: Terminal,
) {
  const settings = Object.fromEntries(cell.settings.map(({ key, value }) => [key, value]))
  const readings = resolveReadings({ ...pins, ...settings }, venue.world.readings)
  assert(readings.ok, 'a cell has known readings')
  const world = createWorldLike(venue, readings.value)
  if (cell.fault !== null) installFault(world, cell.fault)
  const report = join(tmpdir(), `otcsim-${randomUUID()}.report`)
  const evidence = join(tmpdir(), `otcsim-${randomUUID()}.evidence`)
  let [out, all] = ['', '']
  const end = await runChild(words, {
    cwd: terminal.cwd,
    env: {
      ...buildEnvironment(terminal, venue.server, world, account, venue.chosen),
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
  const uses = readWorldUses(evidence)
  rmSync(evidence, { force: true })
  const requests = uses.reduce((sum, use) => sum + use.requests, world.requests.counts.requests)
  venue.worlds.delete(world.id)
  const written = existsSync(report) ? readFileSync(report, 'utf8') : null
  rmSync(report, { force: true })
  return { cell, ...end, requests, uses, tests: readTestResults(written ?? out), output: all }
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
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

/** Reads which tests passed and failed from a runner's output. Returns null when the output has no known format. */
export function readTestResults(text: string): TestResults | null {
  return parseJsonResults(text) ?? parseJunitResults(text) ?? parseTapResults(text) ?? parseMarks(text)
}

function parseJsonResults(text: string): TestResults | null {
  const start = text.indexOf('{"num')
  const end = text.lastIndexOf('}')
  if (start === -1 || end < start) return null
  const suites = readList(parseJson(text.slice(start, end + 1)), 'testResults')
  if (suites === null) return null
  const tests = suites.flatMap((suite) => readList(suite, 'assertionResults') ?? [])
  const selectNames = (status: string): string[] =>
    tests
      .filter((test) => readText(test, 'status') === status)
      .map((test) => readText(test, 'fullName').trim())
  const broken = suites
    .filter(
      (suite) =>
        readText(suite, 'status') === 'failed' && (readList(suite, 'assertionResults') ?? []).length === 0,
    )
    .map((suite) => readText(suite, 'name'))
  return { passed: selectNames('passed'), failed: [...selectNames('failed'), ...broken] }
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
  for (const { attributes, parts } of listTestCases(parseXml(text.slice(start)))) {
    const name = [readText(attributes, 'classname'), readText(attributes, 'name')]
      .filter((part) => part !== '')
      .join(' > ')
    if (parts.has('failure') || parts.has('error')) failed.push(name)
    else if (!parts.has('skipped')) passed.push(name)
  }
  return { passed, failed }
}

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
  parser.end(text)
  return { passed, failed }
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
  return passed.length + failed.length === 0 ? null : { passed, failed }
}

const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
