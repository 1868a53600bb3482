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
        const source = reference.test(code) ? sourceOf(id) : undefined
        if (source === undefined || program === null) return null
        const records = recordsIn(source, program.getTypeChecker())
        const plain = code.replaceAll(new RegExp(reference, 'g'), (text) => records.get(text) ?? text)
        return withImports(plain, source)
      },
    },
  }
}

const reference = /RecordOf<(?:typeof \w+|\(typeof \w+\)\[number\])>/

/** The text of each record by the text that names it. */
function recordsIn(source: ts.SourceFile, checker: ts.TypeChecker): ReadonlyMap<string, string> {
  const written = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && node.typeName.getText(source) === 'RecordOf') {
      const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias
      const type = checker.getTypeFromTypeNode(node)
      written.set(node.getText(source), checker.typeToString(type, source, flags))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return written
}

/** With imports of all that the records name: what the source imports, and what it only gets from others. */
function withImports(declarations: string, source: ts.SourceFile): string {
  const modules = new Map(importsOf(source))
  const plain = declarations.replaceAll(/import\("([^"]+)"\)\.(\w+)/g, (_, path: string, name: string) => {
    modules.set(name, path)
    return name
  })
  const tree = ts.createSourceFile('plain.d.ts', plain, ts.ScriptTarget.Latest, true)
  const used = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) used.add(node.typeName.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  for (const [name] of importsOf(tree)) used.delete(name)
  const lacking = [...modules].filter(([name]) => used.has(name))
  return lacking.map(([name, path]) => `import { ${name} } from '${path}'\n`).join('') + plain
}

/** The modules of the names that a file imports. */
function importsOf(file: ts.SourceFile): readonly (readonly [name: string, path: string])[] {
  return file.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const named = importClause?.namedBindings
    const elements = named !== undefined && ts.isNamedImports(named) ? named.elements : []
    const path = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ''
    return elements.map(({ name }) => [name.text, path] as const)
  })
}
