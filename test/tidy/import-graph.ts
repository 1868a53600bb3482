import { posix } from 'node:path'
import ts from 'typescript'
import { type Finding, findNodes, lineOf, type Source } from './source.ts'

/**
 * Exported values that nothing imports, or only tests: a value that tests import must also be used in the sources, if
 * only in its own file. `import * as` and `import()` count as importing the whole module.
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

/** Whether a file uses what it declares. */
function isUsedWithin(source: Source, name: string): boolean {
  return findNodes(source, (node) => (ts.isIdentifier(node) && node.text === name ? name : null)).length > 1
}

/**
 * Circular imports between files, each circle once. An import counts when it is of types alone, and when it happens late
 * (`import()`): a reader has to follow both.
 */
export function importCycles(sources: readonly Source[]): readonly Finding[] {
  return cyclesOf(new Map(sources.map((source) => [source.path, targetsOf(source)])))
}

/** Circular imports between the folders of one room, or of one folder in it, and the files beside them. */
export function folderCycles(sources: readonly Source[]): readonly Finding[] {
  const graph = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const target of targetsOf(source)) {
      const parts = whereTheyPart(source.path, target)
      if (parts === null) continue
      const targets = graph.get(parts.own) ?? new Set()
      graph.set(parts.own, targets.add(parts.other))
    }
  }
  return cyclesOf(graph)
}

/** Of two files in a room, the folders or files side by side in which they are; null for files of two rooms. */
function whereTheyPart(own: string, other: string): { readonly own: string; readonly other: string } | null {
  const names = own.split('/')
  const others = other.split('/')
  let depth = 0
  while (depth < names.length && names[depth] === others[depth]) depth += 1
  const upTo = (path: readonly string[]) => path.slice(0, depth + 1).join('/')
  return depth < 2 || depth === names.length ? null : { own: upTo(names), other: upTo(others) }
}

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

/** The files that import each file, also those that load it on demand. */
export function importersIn(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const { target } of importsOf(source)) {
      importers.set(target, (importers.get(target) ?? new Set()).add(source.path))
    }
  }
  return importers
}

interface Import {
  readonly target: string
  /** `*` for the whole module. */
  readonly name: string
}

/** Several rules ask for the imports of a thousand files. */
const known = new WeakMap<Source, readonly Import[]>()

function importsOf(source: Source): readonly Import[] {
  const imports = known.get(source) ?? findImports(source)
  known.set(source, imports)
  return imports
}

function findImports(source: Source): readonly Import[] {
  const imports: Import[] = []
  const add = (specifier: ts.Node | undefined, named: NamedBindings | undefined): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.'))
      return
    // Scripts that are compiled elsewhere name each other as they are then called.
    const target = posix.join(posix.dirname(source.path), specifier.text.replace(/\.js$/, '.ts'))
    if (named === undefined) imports.push({ target, name: '*' })
    for (const { propertyName, name } of named?.elements ?? []) {
      imports.push({ target, name: (propertyName ?? name).text })
    }
  }
  for (const node of source.nodes) {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings
      add(node.moduleSpecifier, bindings && ts.isNamedImports(bindings) ? bindings : undefined)
    } else if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause
      add(node.moduleSpecifier, clause && ts.isNamedExports(clause) ? clause : undefined)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, undefined)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], undefined)
    }
  }
  return imports
}

type NamedBindings = ts.NamedImports | ts.NamedExports

function targetsOf(source: Source): readonly string[] {
  return [...new Set(importsOf(source).map(({ target }) => target))]
}

/** The functions, classes and constants that a file exports, without its types. */
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
