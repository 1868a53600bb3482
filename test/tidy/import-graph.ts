import { posix } from 'node:path'
import ts from 'typescript'
import { type Finding, findNodes, lineOf, type Source } from './source.ts'

/**
 * Values that are exported for nobody, or for tests alone: what a test takes must be at work in the sources, too, be it in
 * its own file. A whole module taken by `import * as` or `import()` counts as all of it.
 */
export function deadExports(
  sources: readonly Source[],
  programs: readonly Source[],
  tests: readonly Source[],
): readonly Finding[] {
  const byPrograms = importedNames([...sources, ...programs])
  const byTests = importedNames(tests)
  return sources.flatMap((source) =>
    exportsOf(source).flatMap(({ name, line }) => {
      const isTaken = (names: ReadonlySet<string>) =>
        names.has(`${source.path} ${name}`) || names.has(`${source.path} *`)
      if (isTaken(byPrograms)) return []
      if (!isTaken(byTests))
        return [{ path: source.path, line, message: `${name} is exported, and nobody imports it` }]
      return isUsedWithin(source, name)
        ? []
        : [{ path: source.path, line, message: `${name} is there for tests alone` }]
    }),
  )
}

function importedNames(sources: readonly Source[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap((source) => importsOf(source).map(({ target, name }) => `${target} ${name}`)),
  )
}

/** Whether a file names what it declares once more. */
function isUsedWithin(source: Source, name: string): boolean {
  return findNodes(source, (node) => (ts.isIdentifier(node) && node.text === name ? name : null)).length > 1
}

/** Files that import each other in a circle, types counted as well as values, each circle once. */
export function importCycles(sources: readonly Source[]): readonly Finding[] {
  return cyclesOf(new Map(sources.map((source) => [source.path, targetsOf(source)])))
}

/** The folders of one room, and the files that lie beside them, where they import each other in a circle. */
export function folderCycles(sources: readonly Source[]): readonly Finding[] {
  const graph = new Map<string, Set<string>>()
  for (const source of sources) {
    const folder = folderOf(source.path)
    const targets = graph.get(folder) ?? new Set()
    graph.set(folder, targets)
    for (const target of targetsOf(source).map(folderOf)) {
      if (target !== folder && roomOf(target) === roomOf(folder)) targets.add(target)
    }
  }
  return cyclesOf(graph)
}

/** The room's folder that a file is in, however deep; the file itself where it is in none. */
const folderOf = (path: string): string => path.split('/').slice(0, 3).join('/')

const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/')

function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): readonly Finding[] {
  const state = new Map<string, 'open' | 'done'>()
  const findings: Finding[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      const circle = [...trail.slice(trail.indexOf(path)), path]
      findings.push({ path, line: 1, message: `imports itself: ${circle.join(' > ')}` })
      return
    }
    state.set(path, 'open')
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
    state.set(path, 'done')
  }
  for (const path of graph.keys()) visit(path, [])
  return findings
}

interface Import {
  readonly target: string
  /** `*` for the whole module. */
  readonly name: string
  /** Loaded when it is called for, so it makes no circle. */
  readonly isLate: boolean
}

function importsOf(source: Source): readonly Import[] {
  const imports: Import[] = []
  const add = (specifier: ts.Node | undefined, named: NamedBindings | undefined, isLate = false): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.'))
      return
    const target = posix.join(posix.dirname(source.path), specifier.text)
    if (named === undefined) imports.push({ target, name: '*', isLate })
    for (const { propertyName, name } of named?.elements ?? []) {
      imports.push({ target, name: (propertyName ?? name).text, isLate })
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings
      add(node.moduleSpecifier, bindings && ts.isNamedImports(bindings) ? bindings : undefined)
    } else if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause
      add(node.moduleSpecifier, clause && ts.isNamedExports(clause) ? clause : undefined)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, undefined)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], undefined, true)
    }
    ts.forEachChild(node, visit)
  }
  visit(source.tree)
  return imports
}

type NamedBindings = ts.NamedImports | ts.NamedExports

function targetsOf(source: Source): readonly string[] {
  const counted = importsOf(source).filter(({ isLate }) => !isLate)
  return [...new Set(counted.map(({ target }) => target))]
}

/** The functions, classes and constants that a file exports; its types are part of what they say. */
function exportsOf(source: Source): readonly { readonly name: string; readonly line: number }[] {
  return source.tree.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    const line = lineOf(source, statement.getStart())
    return isExported ? declaredBy(statement).map((name) => ({ name, line })) : []
  })
}

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    )
  }
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}
