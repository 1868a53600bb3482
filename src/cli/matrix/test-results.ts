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
  if (!text.includes('<testsuite')) return null
  const passed: string[] = []
  const failed: string[] = []
  for (const [, attributes = '', body = ''] of text.matchAll(
    /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  )) {
    const names = [attribute(attributes, 'classname'), attribute(attributes, 'name')]
    const name = names.filter((part) => part !== '').join(' > ')
    if (/<(failure|error)\b/.test(body)) failed.push(name)
    else if (!/<skipped\b/.test(body)) passed.push(name)
  }
  return { passed, failed }
}

function attribute(text: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1] ?? ''
  return value.replace(/&(lt|gt|quot|apos|amp|#(\d+));/g, (_, word: string, code: string | undefined) =>
    code === undefined ? (entities.get(word) ?? '') : String.fromCodePoint(Number(code)),
  )
}

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
])

/** Nested tests come before the one around them, whose own failure is not counted again. */
function fromTap(text: string): TestResults | null {
  if (!/^TAP version 1[34]$/m.test(text) && !/^1\.\.\d+$/m.test(text)) return null
  const passed: string[] = []
  const failed: string[] = []
  let failedDepths: readonly number[] = []
  for (const line of text.split('\n')) {
    const [, indent = '', not, name = '', directive = ''] =
      /^( *)(not )?ok\b *\d* *-? *([^#]*?)\s*(#.*)?$/.exec(line) ?? []
    if (!/^ *(not )?ok\b/.test(line) || /^# *(skip|todo)\b/i.test(directive)) continue
    const depth = indent.length
    const isHolder = failedDepths.some((inner) => inner > depth)
    failedDepths = failedDepths.filter((inner) => inner <= depth)
    if (not === undefined) passed.push(name)
    else {
      failedDepths = [...failedDepths, depth]
      if (!isHolder) failed.push(name)
    }
  }
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
