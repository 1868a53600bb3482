import { join } from 'node:path'
import ts from 'typescript'

/**
 * A bundler's plugin for declarations: writes out the record that a schema describes. `RecordOf<typeof shape>` would bring
 * all the types of TypeBox into ours, which users then need, and which the bundler renames wrongly.
 */
export function plainRecords(root: string) {
  let program: ts.Program | null = null
  const sourceOf = (declaration: string): ts.SourceFile | undefined => {
    program ??= ts.createProgram([join(root, 'src/index.ts')], {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
    })
    return program.getSourceFile(declaration.replace(/\.d\.[cm]?ts$/, '.ts'))
  }
  return {
    name: 'plain-records',
    transform: {
      order: 'pre' as const,
      filter: { id: /\.d\.[cm]?ts$/ },
      handler(code: string, id: string) {
        const source = code.includes('RecordOf<typeof ') ? sourceOf(id) : undefined
        if (source === undefined || program === null) return null
        return code.replace(/RecordOf<typeof (\w+)>/g, recordsIn(source, program.getTypeChecker()))
      },
    },
  }
}

/** Answers the text of a record for the text that names it. */
function recordsIn(source: ts.SourceFile, checker: ts.TypeChecker): (reference: string) => string {
  const written = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && node.typeName.getText(source) === 'RecordOf') {
      const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias
      written.set(
        node.getText(source),
        checker.typeToString(checker.getTypeFromTypeNode(node), undefined, flags),
      )
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return (reference) => written.get(reference) ?? reference
}
