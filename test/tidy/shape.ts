import ts from 'typescript'
import { type Finding, findNodes, lineOf, type Source } from './source.ts'

export const maximumFileLines = 500
export const maximumFunctionLines = 70

export function fileLengthRule(source: Source): readonly Finding[] {
  const lines = source.text.trimEnd().split('\n').length
  return lines > maximumFileLines
    ? [
        {
          path: source.path,
          line: maximumFileLines + 1,
          message: `${lines} lines: most is ${maximumFileLines}`,
        },
      ]
    : []
}

export function functionLengthRule(source: Source): readonly Finding[] {
  return findNodes(source, (node) => {
    if (!ts.isFunctionLike(node)) return null
    const lines = lineOf(source, node.getEnd()) - lineOf(source, node.getStart()) + 1
    return lines > maximumFunctionLines
      ? `${lines} lines: a function stays under ${maximumFunctionLines}`
      : null
  })
}

export function defaultExportRule(source: Source): readonly Finding[] {
  return findNodes(source, (node) => {
    if (ts.isExportAssignment(node)) return node.isExportEquals ? null : 'no default exports'
    return node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)
      ? 'no default exports'
      : null
  })
}

/**
 * Where a plain number becomes a branded one, where a row of a column is known to exist, and where a record is built from
 * a list of names.
 */
const castFiles: readonly string[] = [
  'src/numeric/units.ts',
  'src/numeric/columns.ts',
  'src/engine/events.ts',
  'src/engine/codes.ts',
]

/** Refuses `as` except `as const`, `!` and `<T>x`: narrow instead. */
export function castRule(source: Source): readonly Finding[] {
  if (castFiles.includes(source.path)) return []
  return findNodes(source, (node) => {
    if (ts.isNonNullExpression(node)) return 'no `!`: narrow, or assert'
    if (ts.isTypeAssertionExpression(node)) return 'no casts: narrow, or assert'
    return ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)
      ? 'no casts: narrow, or assert'
      : null
  })
}

/** Only the entries of the package may re-export. */
const entries: readonly string[] = [
  'src/index.ts',
  'src/client/entry.ts',
  'src/backtest/entry.ts',
  'src/testing/entry.ts',
]

export function barrelRule(source: Source): readonly Finding[] {
  if (entries.includes(source.path)) return []
  return findNodes(source, (node) =>
    ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined
      ? 'no re-exports: import from the file that says it'
      : null,
  )
}

/** Comments that disable a tool, and TODO notes. */
export function commentRule(source: Source): readonly Finding[] {
  const pattern =
    /(@ts-(?:ignore|expect-error|nocheck)|biome-ignore|eslint-disable|\b(?:TODO|FIXME|XXX|HACK)\b)/g
  return [...source.text.matchAll(pattern)].map((match) => ({
    path: source.path,
    line: lineOf(source, match.index),
    message: `${match[0]} does not stay in the code`,
  }))
}

/** Only erasable syntax, which runtimes that strip types can run. */
export function plainSyntaxRule(source: Source): readonly Finding[] {
  return findNodes(source, (node) => {
    if (ts.isEnumDeclaration(node)) return 'no enums: use a union of literals'
    if (node.kind === ts.SyntaxKind.AnyKeyword) return 'no any: use unknown and narrow'
    return null
  })
}
