import ts from 'typescript'
import { type Finding, findNodes, type Source } from './source.ts'

/*
 * What the design forbids in section 3: no method of Node's or a library's objects is replaced, no event of theirs emitted by
 * us, no private field read, no request handling or module loader changed, no HTTP written by hand.
 */

/** Modules whose use is to look into the engine, or to change how modules are loaded. */
const inwardModules = /^node:(v8|inspector|internal\/.*)$/
/** What is read of `node:module`: its documented ways to resolve and to keep compiled code. */
const documentedOfModule: ReadonlySet<string> = new Set([
  'createRequire',
  'enableCompileCache',
  'flushCompileCache',
])
/** Members by which Node and Koa do their own work. */
const inwardMembers: ReadonlySet<string> = new Set([
  ...['_load', '_resolveFilename', '_extensions', '_compile', '_cache', 'binding', 'extensions'],
  ...['handleRequest', 'createContext', 'rawListeners', 'removeAllListeners', '__proto__'],
])
/** Functions that get at what an object does not show. */
const inwardCalls: ReadonlySet<string> = new Set([
  ...['Reflect.get', 'Reflect.set', 'Reflect.defineProperty', 'Reflect.setPrototypeOf'],
  ...['Object.defineProperty', 'Object.defineProperties', 'Object.setPrototypeOf'],
  'Object.getOwnPropertySymbols',
])

/** Where HTTP is written, and why it must be. */
export const writtenHttp: ReadonlyMap<string, string> = new Map([
  [
    'src/server/listen.ts',
    "Node's documented answer to `clientError` and `connect`, for which there is no response",
  ],
  ['src/pipeline/delivery.ts', 'a fault that is not HTTP'],
  ['src/cli/request.ts', 'an answer as it is shown to a person'],
])

export function foreignObjectRule(source: Source): readonly Finding[] {
  return findNodes(source, (node) => {
    if (ts.isImportDeclaration(node)) return importProblem(node)
    if (ts.isPropertyAccessExpression(node)) return memberProblem(node)
    if (ts.isCallExpression(node)) return callProblem(node)
    if (ts.isBinaryExpression(node)) return assignmentProblem(node)
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node)
    if (isText && /^HTTP\/1\.[01] (\d|$)/.test(node.text) && !writtenHttp.has(source.path))
      return 'HTTP by hand: Node and Koa write it'
    return null
  })
}

function importProblem({ moduleSpecifier, importClause }: ts.ImportDeclaration): string | null {
  if (!ts.isStringLiteral(moduleSpecifier)) return null
  const name = moduleSpecifier.text
  if (inwardModules.test(name)) return `${name}: use what is documented for applications`
  const bindings = importClause?.namedBindings
  if (name !== 'node:module' || bindings === undefined || !ts.isNamedImports(bindings)) return null
  const [stray] = bindings.elements.filter(({ name: { text } }) => !documentedOfModule.has(text))
  return stray === undefined
    ? null
    : `${stray.name.text} of node:module: modules are loaded as Node loads them`
}

function memberProblem({ expression, name }: ts.PropertyAccessExpression): string | null {
  const isOurs = expression.kind === ts.SyntaxKind.ThisKeyword
  if (name.text.startsWith('_') && !isOurs) return `${name.text}: a private field`
  if (inwardMembers.has(name.text) && !isOurs) return `${name.text}: how others work is theirs`
  if (name.text !== 'prototype') return null
  // Plain objects are told from others by it.
  return ts.isIdentifier(expression) && expression.text === 'Object'
    ? null
    : 'prototype: classes stay as they are'
}

function callProblem(call: ts.CallExpression): string | null {
  const { expression, arguments: given } = call
  if (!ts.isPropertyAccessExpression(expression)) return null
  const called = expression.getText()
  if (inwardCalls.has(called)) return `${called}: name the field`
  // Events of our own have numbers and go to a sink.
  const [first] = given
  const isNamed = first !== undefined && ts.isStringLiteralLike(first)
  return expression.name.text === 'emit' && isNamed ? `${first.text}: whose event it is emits it` : null
}

/** A function, or `false` for Koa's `respond`, put where an object of somebody else has its own. */
function assignmentProblem({ left, operatorToken, right }: ts.BinaryExpression): string | null {
  if (operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(left)) return null
  if (left.expression.kind === ts.SyntaxKind.ThisKeyword) return null
  if (left.name.text === 'respond') return 'respond: Koa answers'
  // Handlers of the browser, such as `onclick`, are there to be set.
  const isHandler = /^on[a-z]+$/.test(left.name.text)
  const isFunction = ts.isArrowFunction(right) || ts.isFunctionExpression(right)
  return isFunction && !isHandler ? `${left.name.text}: a method replaced` : null
}
