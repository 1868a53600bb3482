import { dirname } from 'node:path'
import ts from 'typescript'
import { ownWords, unknownWords } from './glossary.ts'
import { folderCycles, importCycles, importersIn } from './import-graph.ts'
import { computingGetters, fragmentDocs, leaningDocs, participles } from './language.ts'
import { maximumFileLines, maximumFunctionLines } from './shape.ts'
import { exportedTypes, lineOf, type Source, type TextFile } from './source.ts'

/* The form of the sources in figures, each with the places that it counts. `npm run form` prints them. */

export interface Figure {
  readonly name: string
  readonly count: number
  /** Where to look, the worst first. */
  readonly places: readonly string[]
  /** The most that may be counted; null for what is only printed. */
  readonly limit: number | null
  /** What to do about a place that is too much. */
  readonly remedy: string
}

/** Which other texts say something about form: styles count among lines and files. */
interface Surroundings {
  readonly styles?: readonly TextFile[]
  readonly glossary?: string
  /** The names of the scripts in package.json. */
  readonly scripts?: readonly string[]
}

const glossaryLimit = 30
const scriptLimit = 14

export function formFigures(
  sources: readonly Source[],
  { styles = [], glossary = '', scripts = [] }: Surroundings = {},
): readonly Figure[] {
  const texts = [...sources, ...styles].map(({ text }) => text)
  const lines = texts.reduce((sum, text) => sum + linesIn(text), 0)
  const own = ownWords(glossary)
  return [
    { name: 'lines', count: lines, places: [], limit: null, remedy: '' },
    { name: 'files', count: texts.length, places: [], limit: null, remedy: '' },
    ...shapeFigures(sources),
    ...tellingFigures(sources),
    ...languageFigures(sources),
    figure('words of exported types that the glossary lacks', unknownWords(sources, own), {
      remedy: 'use the word of the field, else an everyday word (test/tidy/glossary.ts lists them)',
    }),
    figure(
      'words in the glossary',
      own.map(({ word }) => word),
      { limit: glossaryLimit, remedy: 'replace a word of our own by one of the field' },
    ),
    figure('scripts in package.json', scripts, {
      limit: scriptLimit,
      remedy: 'add a program to test/build/program.mjs: npm run bench NAME, npm run soak NAME',
    }),
  ]
}

function shapeFigures(sources: readonly Source[]): readonly Figure[] {
  return [
    figure(`files over ${maximumFileLines} lines`, longFiles(sources), { remedy: 'cut the file by subject' }),
    figure(`functions over ${maximumFunctionLines} lines`, longFunctions(sources), {
      remedy: 'name a step of it as a function',
    }),
    figure(
      'circles of imports, late ones counted',
      [...importCycles(sources), ...folderCycles(sources)].map(({ path, message }) => `${path} ${message}`),
      { remedy: 'hand in what the lower file needs, or move what both need below them' },
    ),
    figure(`files with one importer next door, of ${pageLines} lines together`, mergeable(sources), {
      remedy: 'move the file into its importer, or give its reason in test/tidy/reasons.ts',
    }),
    figure('places that reach into Node or a library', matchesOf(sources, reachingIn), {
      remedy: 'use documented means',
    }),
    figure(
      'Number(x[i]) outside tables and numeric',
      matchesOf(sources, numberOfElement, ['src/engine/tables/', 'src/numeric/']),
      { remedy: 'ask the table, which knows the type of its columns' },
    ),
  ]
}

function tellingFigures(sources: readonly Source[]): readonly Figure[] {
  const remedy = 'tell it once, in the room that owns it, and derive the rest'
  return [
    figure('names of exported types that several files declare', sharedTypeNames(sources), { remedy }),
    figure('shapes of at least 4 fields that are declared twice', sharedShapes(sources), { remedy }),
  ]
}

function languageFigures(sources: readonly Source[]): readonly Figure[] {
  const alone = 'write a sentence that can be read alone, or delete the comment'
  return [
    figure('functions called ...Of that compute', computingGetters(sources), {
      remedy: 'begin with a verb (find, compute, list, format ...); ...Of is for plain getters',
    }),
    figure('functions called by a participle', participles(sources), {
      remedy: 'begin with a verb; a predicate is isX or hasX',
    }),
    figure('functions whose name says nothing', matchesOf(sources, emptyNames), {
      remedy: 'say what of what',
    }),
    figure('doc comments that lean on another one', leaningDocs(sources), { remedy: alone }),
    figure('doc comments that are fragments', fragmentDocs(sources), { remedy: alone }),
  ]
}

function figure(
  name: string,
  places: readonly string[],
  { limit = 0, remedy }: { readonly limit?: number; readonly remedy: string },
): Figure {
  return { name, count: places.length, places, limit, remedy }
}

/** A file of this length is read in one go. */
const pageLines = 300

/** Folders in which each row of a table is a file of its own, however short, and one file has the table. */
const oneFileEach: readonly string[] = [
  'src/market/models',
  'src/market/books/readers',
  'src/scenario/agents',
  'src/scenario/actions',
  'src/server/admin',
]

/** Files that their only importer, in their own folder, could contain. */
function mergeable(sources: readonly Source[]): readonly string[] {
  const importers = importersIn(sources)
  const lines = new Map(sources.map(({ path, text }) => [path, linesIn(text)]))
  return sources.flatMap(({ path }) => {
    const [importer, ...others] = importers.get(path) ?? []
    const isSole = importer !== undefined && others.length === 0 && dirname(path) === dirname(importer)
    if (!isSole || oneFileEach.includes(dirname(path)) || importer === 'src/cli/commands.ts') return []
    const together = (lines.get(path) ?? 0) + (lines.get(importer) ?? 0)
    return together <= pageLines ? [`${path} < ${importer}`] : []
  })
}

export const linesIn = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const longFiles = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter(({ text }) => linesIn(text) > maximumFileLines)
    .map(({ path, text }) => `${path} ${linesIn(text)}`)

const longFunctions = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    source.nodes.flatMap((node) => {
      if (!ts.isFunctionLike(node)) return []
      const lines = lineOf(source, node.getEnd()) - lineOf(source, node.getStart()) + 1
      return lines > maximumFunctionLines ? [`${placeOf(source, node)} ${lines}`] : []
    }),
  )

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

/** Places that declare the fields of a record which another place declares, too. */
function sharedShapes(sources: readonly Source[]): readonly string[] {
  const places = new Places()
  for (const source of sources) {
    for (const node of source.nodes) {
      const names = declaredFields(node)
      const isWords = names.every((name) => schemaWords.has(name))
      if (names.length >= fewestFields && !isWords)
        places.add([...new Set(names)].toSorted().join(' '), placeOf(source, node))
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
    /^(?:object|openTo|record|partial|Type\.\w+)$/.test(taker.expression.getText())
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
