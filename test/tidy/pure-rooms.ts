import ts from 'typescript'
import { type Finding, findNodes, roomOf, type Source } from './source.ts'

const pureRooms: readonly string[] = [
  'numeric',
  'shape',
  'market',
  'engine',
  'api',
  'scenario',
  'pages',
  'metrics',
]

/** Names that reach for the machine, the wall clock, the locale or the order of events, and what to use. */
const machine: ReadonlyMap<string, string> = new Map([
  ['Date', 'time is a parameter; numeric/time-text.ts writes it'],
  ['performance', 'time is a parameter'],
  ['process', 'the machine belongs to world, server and cli'],
  ['console', 'output belongs to cli'],
  ['Intl', 'locales differ between machines'],
  ['crypto', 'draw from numeric/random.ts'],
  ['globalThis', 'name what is needed'],
  ['setTimeout', 'the timeline orders what is due'],
  ['setInterval', 'the timeline orders what is due'],
  ['setImmediate', 'the timeline orders what is due'],
  ['queueMicrotask', 'pure rooms are synchronous'],
  ['Promise', 'pure rooms are synchronous'],
  ['fetch', 'the network belongs to client and server'],
  ['Buffer', 'use Uint8Array'],
  ['WeakRef', 'collection must not be seen'],
  ['FinalizationRegistry', 'collection must not be seen'],
  ['eval', 'never'],
  ['Function', 'never'],
])

/** Methods whose answer depends on the locale or on the Unicode data of the engine. */
const localeMethods = /^(localeCompare|normalize|toLocale[A-Za-z]*)$/

/** Members of Math that are exact everywhere. */
const exactMath: ReadonlySet<string> = new Set([
  ...['abs', 'ceil', 'clz32', 'floor', 'fround', 'imul', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'],
  ...['E', 'LN2', 'LN10', 'LOG2E', 'LOG10E', 'PI', 'SQRT1_2', 'SQRT2'],
])

/** Refuses in the pure rooms everything that could make two runs differ. */
export function pureRoomRule(source: Source): readonly Finding[] {
  if (!pureRooms.includes(roomOf(source.path))) return []
  const declared = declaredNames(source)
  return findNodes(source, (node) => {
    if (ts.isIdentifier(node)) {
      if (!isReference(node)) return localeProblem(node)
      return declared.has(node.text) ? null : machineProblem(node.text)
    }
    if (ts.isAwaitExpression(node)) return 'await: pure rooms are synchronous'
    if (node.kind === ts.SyntaxKind.AsyncKeyword) return 'async: pure rooms are synchronous'
    if (ts.isForInStatement(node)) return 'for in: use an array or a map in a stated order'
    return null
  })
}

/** Refuses in every room the mathematics that engines compute differently. */
export function exactMathRule(source: Source): readonly Finding[] {
  return findNodes(source, (node) => {
    if (isInexactPower(node)) return '** differs between engines: use powerOfTen or numeric/portable-math.ts'
    if (!ts.isIdentifier(node) || node.text !== 'Math' || !isReference(node)) return null
    const { parent } = node
    const member = ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : ''
    if (member === 'random') {
      const isPure = pureRooms.includes(roomOf(source.path))
      return isPure ? 'Math.random: draw from numeric/random.ts' : null
    }
    if (exactMath.has(member)) return null
    return `Math${member === '' ? '' : `.${member}`} differs between engines: use numeric/portable-math.ts`
  })
}

/** A power of doubles. Powers of BigInts are exact, and recognised by a literal or a call. */
function isInexactPower(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false
  const operator = node.operatorToken.kind
  if (operator === ts.SyntaxKind.AsteriskAsteriskEqualsToken) return true
  return operator === ts.SyntaxKind.AsteriskAsteriskToken && !isBigInt(node.left) && !isBigInt(node.right)
}

function isBigInt(node: ts.Node): boolean {
  return ts.isBigIntLiteral(node) || (ts.isCallExpression(node) && node.expression.getText() === 'BigInt')
}

function machineProblem(name: string): string | null {
  const instead = machine.get(name)
  return instead === undefined ? null : `${name}: ${instead}`
}

function localeProblem(node: ts.Identifier): string | null {
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
  return isMember && localeMethods.test(node.text) ? `${node.text}: compare code units with < and >` : null
}

/** Names that the file gives to its own variables and parameters: a `process` may be a stochastic one. */
function declaredNames(source: Source): ReadonlySet<string> {
  const names = new Set<string>()
  findNodes(source, (node) => {
    const isBinding = ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node)
    if (isBinding && ts.isIdentifier(node.name)) names.add(node.name.text)
    return null
  })
  return names
}

/** Whether an identifier stands for a variable: not for a member, a key, or a name in a type. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return false
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent) || ts.isMethodDeclaration(parent)) {
    return parent.name !== node
  }
  return true
}
