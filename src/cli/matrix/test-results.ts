import { XMLParser } from 'fast-xml-parser'
import { Parser, type Result } from 'tap-parser'
import { isObject, parseJson } from '../../api/json.ts'

/*
 * Which tests of a suite failed, from what their runner printed: the JSON of vitest and jest, JUnit's XML, TAP, and
 * the marks of Node's own reporter.
 */

export interface TestResults {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

/** Null when the text has no known form. */
export function readTestResults(text: string): TestResults | null {
  return fromJson(text) ?? fromJunit(text) ?? fromTap(text) ?? fromMarks(text)
}

function fromJson(text: string): TestResults | null {
  const start = text.indexOf('{"num')
  const end = text.lastIndexOf('}')
  if (start === -1 || end < start) return null
  const suites = listIn(parseJson(text.slice(start, end + 1)), 'testResults')
  if (suites === null) return null
  const tests = suites.flatMap((suite) => listIn(suite, 'assertionResults') ?? [])
  const named = (status: string): string[] =>
    tests.filter((test) => textIn(test, 'status') === status).map((test) => textIn(test, 'fullName').trim())
  const broken = suites
    .filter(
      (suite) =>
        textIn(suite, 'status') === 'failed' && (listIn(suite, 'assertionResults') ?? []).length === 0,
    )
    .map((suite) => textIn(suite, 'name'))
  return { passed: named('passed'), failed: [...named('failed'), ...broken] }
}

function listIn(value: unknown, key: string): readonly unknown[] | null {
  const member = isObject(value) ? value[key] : null
  return Array.isArray(member) ? member : null
}

function textIn(value: unknown, key: string): string {
  const member = isObject(value) ? value[key] : null
  return typeof member === 'string' ? member : ''
}

function fromJunit(text: string): TestResults | null {
  const start = text.indexOf('<testsuite')
  if (start === -1) return null
  const passed: string[] = []
  const failed: string[] = []
  for (const { attributes, parts } of testCases(xmlNodes(text.slice(start)))) {
    const name = [textIn(attributes, 'classname'), textIn(attributes, 'name')]
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

/** Of the elements up to the last closed suite: runners print other lines around them. Not XML: none. */
function xmlNodes(text: string): unknown {
  const last = text.lastIndexOf('</testsuite')
  try {
    return junit.parse(last === -1 ? text : text.slice(0, text.indexOf('>', last) + 1))
  } catch {
    return []
  }
}

interface TestCase {
  readonly attributes: unknown
  /** The names of the elements in it. */
  readonly parts: ReadonlySet<string>
}

/** The test cases of any depth, in their order: each node is its element's list of nodes, beside the attributes. */
function testCases(nodes: unknown): readonly TestCase[] {
  if (!Array.isArray(nodes)) return []
  return nodes.filter(isObject).flatMap(({ ':@': attributes, ...element }) => {
    const inside = listIn(element, 'testcase')
    if (inside === null) return Object.values(element).flatMap(testCases)
    return [{ attributes, parts: new Set(inside.filter(isObject).flatMap(Object.keys)) }]
  })
}

function fromTap(text: string): TestResults | null {
  if (!/^TAP version 1[34]$/m.test(text) && !/^1\.\.\d+$/m.test(text)) return null
  const passed: string[] = []
  const failed: string[] = []
  /** Nested tests come before the one around them, whose own failure is not counted again. */
  const follow = (parser: Parser): void => {
    let failedBefore = failed.length
    parser.on('child', follow)
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
  follow(parser)
  parser.end(text)
  return { passed, failed }
}

/** `✔ name (1.2ms)`, `✖ name`, `✓ name 3ms`, `× name`. */
function fromMarks(text: string): TestResults | null {
  const named = (marks: string): string[] => {
    const lines = text
      .replace(ansi, '')
      .matchAll(new RegExp(`^\\s*[${marks}] +(.+?)(?: \\(?[\\d.]+ ?ms\\)?)?$`, 'gm'))
    return [...new Set([...lines].map(([, name = '']) => name))].filter(
      (name) => !/^failing tests:/.test(name),
    )
  }
  const [passed, failed] = [named('✔✓'), named('✖×')]
  return passed.length + failed.length === 0 ? null : { passed, failed }
}

const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
