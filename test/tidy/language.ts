import ts from 'typescript'
import { lineOf, type Source } from './source.ts'

/*
 * The language of the sources: what a function's name promises, and whether a doc comment can be read alone, in an
 * editor's hover, by someone who has not seen the file.
 */

interface NamedFunction {
  readonly name: string
  readonly node: ts.Node
  readonly body: ts.Node | undefined
}

/**
 * Functions called `...Of` that do more than look something up. A plain getter calls at most two functions besides its
 * assertions, makes none, changes nothing and has no loop: work begins with a verb.
 */
export const computingGetters = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    namedFunctions(source)
      .filter(({ name, body }) => /[a-z0-9]Of$/.test(name) && !isPlainGetter(body))
      .map(({ name, node }) => `${placeOf(source, node)} ${name}`),
  )

/**
 * Functions whose whole name is a participle (`answered`), or one with what follows it (`changedOnItsWay`): they look
 * like predicates and are none. `signedHeaders` is a noun, and passes.
 */
export const participles = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    namedFunctions(source)
      .filter(({ name }) => isParticiple(name))
      .map(({ name, node }) => `${placeOf(source, node)} ${name}`),
  )

/** Doc comments that lean on a neighbour: they begin "The same ..." or "As `other` ...". */
export const leaningDocs = (sources: readonly Source[]): readonly string[] =>
  docsWhere(sources, (text) => /^(?:The same\b|As [`a-z]|Like `|Ditto\b|See above|Likewise\b)/.test(text))

/** Doc comments that are no sentence: three words or fewer, or a clause whose subject stands elsewhere. */
export const fragmentDocs = (sources: readonly Source[]): readonly string[] =>
  docsWhere(sources, (text) => {
    const words = text
      .replace(/^(?:Spec|Choice|Design): /, '')
      .split(/\s+/)
      .filter((word) => /\w/.test(word))
    const isClause =
      /^(?:Which|Whose|That|And|Or|But|Also|Nor|Than|Of which|By then|Its own|Those|They|It)\b/.test(text)
    return isClause || (words.length < 4 && !/[`@<{]/.test(text))
  })

function docsWhere(sources: readonly Source[], isWrong: (text: string) => boolean): readonly string[] {
  return sources.flatMap((source) =>
    [...source.text.matchAll(/^\s*\/\*\*([\s\S]*?)\*\//gm)].flatMap((match) => {
      const text = (match[1] ?? '')
        .split('\n')
        .map((line) => line.replace(/^\s*\*? ?/, ''))
        .join(' ')
        .trim()
      const line = lineOf(source, match.index + match[0].indexOf('/**'))
      return isWrong(text) ? [`${source.path}:${line} ${text.slice(0, 60)}`] : []
    }),
  )
}

function isPlainGetter(body: ts.Node | undefined): boolean {
  if (body === undefined) return true
  const statements = ts.isBlock(body) ? body.statements : []
  let calls = 0
  let makes = 0
  const visit = (node: ts.Node): void => {
    const isAssertion = ts.isCallExpression(node) && node.expression.getText() === 'assert'
    if ((ts.isCallExpression(node) && !isAssertion) || ts.isNewExpression(node)) calls += 1
    if (ts.isFunctionLike(node) || ts.isSpreadElement(node) || isAssignment(node)) makes += 1
    ts.forEachChild(node, visit)
  }
  visit(body)
  return statements.every(isPartOfGetter) && calls <= 2 && makes === 0
}

/** A look-up may name what it finds, assert that it is there, and choose by what it is given; it has no loop. */
function isPartOfGetter(statement: ts.Statement): boolean {
  return (
    ts.isReturnStatement(statement) ||
    ts.isVariableStatement(statement) ||
    ts.isIfStatement(statement) ||
    ts.isSwitchStatement(statement) ||
    (ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression))
  )
}

function isAssignment(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.getText().endsWith('=') &&
    !/^(?:[=!]==?|[<>]=)$/.test(node.operatorToken.getText())
  )
}

const placeOf = (source: Source, node: ts.Node): string => `${source.path}:${lineOf(source, node.getStart())}`

function namedFunctions(source: Source): readonly NamedFunction[] {
  return source.nodes.flatMap((node): readonly NamedFunction[] => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name !== undefined)
      return ts.isIdentifier(node.name) ? [{ name: node.name.text, node, body: node.body }] : []
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return []
    const { initializer } = node
    const isFunction =
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    return isFunction ? [{ name: node.name.text, node, body: initializer.body }] : []
  })
}

const irregular =
  'taken told given gone begun written drawn held kept known made seen sent shown spent struck broken chosen thrown worn built bound left lost paid sold bought caught thought done grown laid meant met put read'
const irregularParticiples: ReadonlySet<string> = new Set(irregular.split(' '))
/** Verbs, or nouns and adjectives, that end as participles do. */
const otherwise: ReadonlySet<string> = new Set(
  'feed seed speed need embed shed exceed proceed succeed read put'.split(' '),
)
const afterParticiple =
  /^(?:On|By|In|At|From|With|Under|To|Into|As|For|Of|Out|Up|Until|Since|Before|After|Within|Through|Upon|Instead|Again)(?![a-z])/

function isParticiple(name: string): boolean {
  const [first = ''] = /^[a-z]+/.exec(name) ?? []
  const rest = name.slice(first.length)
  if (rest !== '' && !afterParticiple.test(rest)) return false
  return !otherwise.has(first) && (irregularParticiples.has(first) || /[a-z]{2}ed$/.test(first))
}
