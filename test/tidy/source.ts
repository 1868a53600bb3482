import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** One parsed file, by its path from the repository's root. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
  /** All of the tree's nodes, from the top down: every rule looks at each, and walking the tree takes longer. */
  readonly nodes: readonly ts.Node[]
}

/** A breach of a rule: where it is, and what to do instead. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly message: string
}

export type Rule = (source: Source) => readonly Finding[]

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/** All TypeScript files below a folder of the repository, in a fixed order. */
export const readSources = (folder: string): readonly Source[] =>
  readTexts(folder, /\.tsx?$/).map(({ path, text }) => parseSource(path, text))

/** A text file of the repository, code or not. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** The files below a folder of the repository with such names, in a fixed order. */
export function readTexts(folder: string, names: RegExp): readonly TextFile[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => names.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }))
}

export function parseSource(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { path, text, tree, nodes }
}

/** Findings at every node for which `check` has a message. */
export function findNodes(source: Source, check: (node: ts.Node) => string | null): readonly Finding[] {
  const findings: Finding[] = []
  for (const node of source.nodes) {
    const message = check(node)
    if (message !== null) findings.push({ path: source.path, line: lineOf(source, node.getStart()), message })
  }
  return findings
}

/** The line, from 1, of an offset. */
export function lineOf(source: Source, offset: number): number {
  return source.tree.getLineAndCharacterOfPosition(offset).line + 1
}

/** The room of a file: `numeric` for `src/numeric/units.ts`, `index.ts` for `src/index.ts`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The names of the interfaces, type aliases and classes that a file exports. */
export function exportedTypes({ tree }: Source): readonly string[] {
  return tree.statements.flatMap((node) => {
    const isType =
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)
    const isExported =
      isType && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    return isExported && node.name !== undefined ? [node.name.text] : []
  })
}
