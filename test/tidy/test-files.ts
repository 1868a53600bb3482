import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { type Finding, findNodes, repositoryRoot, type Source } from './source.ts'

const runners: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'suite', 'bench'])
const offs: ReadonlySet<string> = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails'])
const emptyMatchers: ReadonlySet<string> = new Set(['toBeDefined', 'toBeTruthy', 'toBeFalsy'])

/** Programs that are no part of Node are found in one place, and where one is missing its tests are left out. */
export function programRule(source: Source): readonly Finding[] {
  return findNodes(source, (node) => {
    if (
      !ts.isCallExpression(node) ||
      !/\b(?:spawn|exec|execFile)(?:Sync)?\)?$/.test(node.expression.getText())
    )
      return null
    const [program] = node.arguments
    if (program === undefined || !ts.isStringLiteralLike(program) || program.text === 'npm') return null
    return `take the path of ${program.text} from programPath`
  })
}

/** Tests of what the venue does in the tests of others, who do replace their timers. */
const aboutReplacedTimers = new Set(['test/testing/live-for.test.ts', 'test/testing/replaced-timers.test.ts'])

/** Every test runs and checks real behaviour: none is disabled, mocked, or passes with anything. */
export function testFileRule(source: Source): readonly Finding[] {
  if (!source.path.endsWith('.test.ts')) return []
  return findNodes(source, (node) => {
    if (isSkipOfItsOwn(node)) return 'no skip within a test: name the program that it wants as a tag'
    if (!ts.isPropertyAccessExpression(node)) return null
    const member = node.name.text
    const subject = node.expression.getText()
    if (runners.has(subject.split('.')[0] ?? '') && offs.has(member)) return `no ${subject}.${member}`
    if (member === 'useFakeTimers' && aboutReplacedTimers.has(source.path)) return null
    if (subject === 'vi' && /^(mock|doMock|spyOn|fn|useFakeTimers)$/.test(member))
      return `no vi.${member}: no mocks`
    return emptyMatchers.has(member) ? `${member} says too little: state the value` : null
  })
}

/** Whether a running test leaves itself out (`context.skip()`, `({ skip }) => skip()`), which no list of programs knows of. */
function isSkipOfItsOwn(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false
  return /^(?:(?:context|ctx|task)\.)?skip$/.test(node.expression.getText())
}

const rooms: ReadonlySet<string> = new Set(
  readdirSync(join(repositoryRoot, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
)

/** A test of a past fault begins with the room that the fault was in, which its name cannot say. */
export function regressionRule({ path, text }: Source): readonly Finding[] {
  if (!path.startsWith('test/regressions/')) return []
  const room = /^\/\/ Room: (\w+)\n/.exec(text)?.[1]
  if (room !== undefined && rooms.has(room)) return []
  const message = `begin with the room that the fault was in: // Room: ${[...rooms].join(' | ')}`
  return [{ path, line: 1, message }]
}
