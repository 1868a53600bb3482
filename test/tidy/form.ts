import { dirname } from 'node:path'
import ts from 'typescript'
import { glossaryPath, ownWords, unknownWords } from './glossary.ts'
import { importersIn } from './import-graph.ts'
import { maximumFileLines, maximumFunctionLines } from './shape.ts'
import { exportedTypes, lineOf, type Source, type TextFile } from './source.ts'

/* The form of the sources in figures, each with the places that it counts. `npm run form` prints them. */

export interface Figure {
  readonly name: string
  readonly count: number
  /** Where to look, the worst first. */
  readonly places: readonly string[]
}

/** `others` are the styles, which count among the lines and the files, and the glossary. */
export function formFigures(sources: readonly Source[], others: readonly TextFile[] = []): readonly Figure[] {
  const styles = others.filter(({ path }) => path.endsWith('.css'))
  const glossary = others.find(({ path }) => path === glossaryPath)?.text ?? ''
  const texts = [...sources, ...styles].map(({ text }) => text)
  const counted = (name: string, places: readonly string[]): Figure => ({
    name,
    count: places.length,
    places,
  })
  return [
    { name: 'lines', count: texts.reduce((sum, text) => sum + linesIn(text), 0), places: [] },
    { name: 'files', count: texts.length, places: [] },
    {
      name: 'lines of comments',
      count: sources.reduce((sum, source) => sum + commentLines(source), 0),
      places: [],
    },
    counted(`files over ${maximumFileLines} lines`, longFiles(sources)),
    counted(`functions over ${maximumFunctionLines} lines`, longFunctions(sources)),
    ...importerFigures(sources, counted),
    counted('names of exported types that several files declare', sharedTypeNames(sources)),
    counted(
      'sets of at least 4 fields that several files tell',
      sharedShapes(sources, fieldNames, ({ path }) => path),
    ),
    counted(
      'shapes of at least 4 fields that are declared twice',
      sharedShapes(sources, declaredFields, placeOf),
    ),
    counted(
      'Number(x[i]) outside tables and numeric',
      matchesOf(sources, numberOfElement, ['src/engine/tables/', 'src/numeric/']),
    ),
    counted('words of exported types that the glossary lacks', unknownWords(sources, ownWords(glossary))),
    counted('functions called ...Of', namesEndingInOf(sources)),
    counted('functions whose name says nothing', matchesOf(sources, emptyNames)),
    counted('places that reach into Node or a library', matchesOf(sources, reachingIn)),
  ]
}

const crumbLines = 25

/** A price model and an agent are each a file of their own, however short (design section 3), with a row in a table. */
const oneFileEach: readonly string[] = ['src/market/models', 'src/scenario/agents']

function importerFigures(
  sources: readonly Source[],
  counted: (name: string, places: readonly string[]) => Figure,
): readonly Figure[] {
  const importers = importersIn(sources)
  const single = sources.flatMap((source) => {
    const [importer, ...others] = importers.get(source.path) ?? []
    return importer === undefined || others.length > 0 ? [] : [{ source, importer }]
  })
  const nextDoor = single.filter(({ source, importer }) => dirname(source.path) === dirname(importer))
  const crumbs = nextDoor.filter(
    ({ source }) => linesIn(source.text) < crumbLines && !oneFileEach.includes(dirname(source.path)),
  )
  const shown = (found: typeof single) => found.map(({ source, importer }) => `${source.path} < ${importer}`)
  return [
    counted('files with one importer', shown(single)),
    counted('files with one importer, in their own folder', shown(nextDoor)),
    counted(`files under ${crumbLines} lines with one importer, in their own folder`, shown(crumbs)),
  ]
}

export const linesIn = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const longFiles = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter(({ text }) => linesIn(text) > maximumFileLines)
    .map(({ path, text }) => `${path} ${linesIn(text)}`)

const longFunctions = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    source.nodes.flatMap((node) => {
      const lines = lineOf(source, node.getEnd()) - lineOf(source, node.getStart()) + 1
      return ts.isFunctionLike(node) && lines > maximumFunctionLines
        ? [`${placeOf(source, node)} ${lines}`]
        : []
    }),
  )

/** Lines that hold nothing but a comment. */
function commentLines({ text }: Source): number {
  let isWithin = false
  return text.split('\n').filter((line) => {
    const isComment = isWithin || /^\s*(\/\/|\/\*)/.test(line)
    if (isComment) isWithin = !line.includes('*/') && (isWithin || line.includes('/*'))
    return isComment
  }).length
}

function sharedTypeNames(sources: readonly Source[]): readonly string[] {
  const places = new Places()
  for (const source of sources) for (const name of exportedTypes(source)) places.add(name, source.path)
  return places.inSeveral()
}

const fewestFields = 4

/** What JSON Schema is written in tells nothing by itself. */
const schemaWords: ReadonlySet<string> = new Set([
  ...[
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'description',
    'enum',
    'const',
    'default',
  ],
  ...[
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'minItems',
    'maxItems',
    'minLength',
    'maxLength',
    'pattern',
    'unit',
  ],
])

/**
 * The same fields in several places. Of all types and literals (`fieldNames`), those that a function builds from a type
 * elsewhere count, too, so not each is a fault: their number is what should fall. Of what only declares
 * (`declaredFields`), each is a second telling.
 */
function sharedShapes(
  sources: readonly Source[],
  fieldsIn: (node: ts.Node) => readonly string[],
  placeIn: (source: Source, node: ts.Node) => string,
): readonly string[] {
  const places = new Places()
  for (const source of sources) {
    for (const node of source.nodes) {
      const names = fieldsIn(node)
      const isWords = names.every((name) => schemaWords.has(name))
      if (names.length >= fewestFields && !isWords)
        places.add([...new Set(names)].toSorted().join(' '), placeIn(source, node))
    }
  }
  return places.inSeveral()
}

/** Of a type, or of a literal that a shape is made of: these say what a record is, and no other file may say it again. */
function declaredFields(node: ts.Node): readonly string[] {
  if (!ts.isObjectLiteralExpression(node))
    return ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node) ? fieldNames(node) : []
  const taker = ts.isSatisfiesExpression(node.parent) ? node.parent.parent : node.parent
  const isShape =
    ts.isCallExpression(taker) &&
    /^(?:closed|openTo|record|partial|Type\.\w+)$/.test(taker.expression.getText())
  return isShape ? fieldNames(node) : []
}

/** Empty for a literal with spread or computed fields: not all of its names are known. */
function fieldNames(node: ts.Node): readonly string[] {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    return node.members.flatMap((member) =>
      member.name !== undefined && (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))
        ? [member.name.text]
        : [],
    )
  if (!ts.isObjectLiteralExpression(node)) return []
  const names = node.properties.map(({ name }) =>
    name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : null,
  )
  return names.includes(null) ? [] : names.filter((name) => name !== null)
}

const namesEndingInOf = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    source.nodes.flatMap((node) => {
      const isFunction =
        ts.isFunctionDeclaration(node) ||
        ts.isMethodDeclaration(node) ||
        (ts.isVariableDeclaration(node) &&
          node.initializer !== undefined &&
          ts.isArrowFunction(node.initializer))
      const name = isFunction && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : ''
      return /[a-z]Of$/.test(name) ? [`${placeOf(source, node)} ${name}`] : []
    }),
  )

/** Of an array: what has a name in quotes is read from JSON. */
const numberOfElement = /\bNumber\((this\.)?[A-Za-z.]+\[(?!')/g
const emptyNames = /^(?:export )?(?:const|function) (?:textOf|nameOf|numberOf|fieldOf|valueOf)\b/gm
/** Methods of Node or a library replaced, their events emitted by us, their loading or answering changed. */
const reachingIn =
  /Reflect\.(?:get|set)\(|\.emit\('(?:finish|close|end)'|require\.extensions|handleRequest\(|\.push = |\.resume = |respond = false/g

const matchesOf = (
  sources: readonly Source[],
  pattern: RegExp,
  except: readonly string[] = [],
): readonly string[] =>
  sources
    .filter(({ path }) => !except.some((folder) => path.startsWith(folder)))
    .flatMap((source) =>
      [...source.text.matchAll(pattern)].map(
        (match) => `${source.path}:${lineOf(source, match.index)} ${match[0].trim()}`,
      ),
    )

/** What the figures are counted in. */
export const countedFiles = /\.(tsx?|css)$|^src\/glossary\.md$/

const placeOf = (source: Source, node: ts.Node): string => `${source.path}:${lineOf(source, node.getStart())}`

/** Where each of some names stands. */
class Places {
  private readonly byName = new Map<string, Set<string>>()

  add(name: string, place: string): void {
    this.byName.set(name, (this.byName.get(name) ?? new Set()).add(place))
  }

  /** Names in several places, those in most places first. */
  inSeveral(): readonly string[] {
    return [...this.byName]
      .filter(([, places]) => places.size > 1)
      .toSorted(([, a], [, b]) => b.size - a.size)
      .map(([name, places]) => `${name}: ${[...places].join(', ')}`)
  }
}
