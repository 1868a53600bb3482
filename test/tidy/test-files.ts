import ts from 'typescript'
import { type Finding, findNodes, type Source } from './source.ts'

const runners: ReadonlySet<string> = new Set(['it', 'test', 'describe', 'suite', 'bench'])
const offs: ReadonlySet<string> = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails'])
const emptyMatchers: ReadonlySet<string> = new Set(['toBeDefined', 'toBeTruthy', 'toBeFalsy'])

/** Every test runs and checks real behaviour: none is disabled, mocked, or passes with anything. */
export function testFileRule(source: Source): readonly Finding[] {
  if (!source.path.endsWith('.test.ts')) return []
  return findNodes(source, (node) => {
    if (!ts.isPropertyAccessExpression(node)) return null
    const member = node.name.text
    const subject = node.expression.getText()
    if (runners.has(subject.split('.')[0] ?? '') && offs.has(member)) return `no ${subject}.${member}`
    if (subject === 'vi' && /^(mock|doMock|spyOn|fn|useFakeTimers)$/.test(member))
      return `no vi.${member}: no mocks`
    return emptyMatchers.has(member) ? `${member} says too little: state the value` : null
  })
}
