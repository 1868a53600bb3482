import { join } from 'node:path'
import ts from 'typescript'

/**
 * A bundler's plugin for declarations: writes out the records and methods that shapes describe. `RecordOf<typeof shape>`
 * would bring all the types of TypeBox into ours, which users then need, and which the bundler renames wrongly.
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
        const written = typesIn(source, program.getTypeChecker())
        const plain = code.replaceAll(new RegExp(reference, 'g'), (text) => written.get(text) ?? text)
        return withImports(asInterfaces(plain), source)
      },
    },
  }
}

const reference =
  /\b(?:RecordOf<(?:typeof \w+|\(typeof \w+\)\[number\])>|(?:AnswerOf|BodyOf|ItemOf|QueryOf)<'\w+'>|ClientOf<Families\['\w+'\]>|AnyRow\['id'\])/

const whole = new RegExp(`^${reference.source}$`)

const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias

/** Comments keep their lines in an interface alone. */
const asInterfaces = (code: string): string =>
  code.replaceAll(/\btype (\w+Client) = (?=\{)/g, 'interface $1 ')

/** The text of each type by the text that names it. */
function typesIn(source: ts.SourceFile, checker: ts.TypeChecker): ReadonlyMap<string, string> {
  const written = new Map<string, string>()
  const aliases = new Map<string, string>()
  const clients: ts.TypeReferenceNode[] = []
  for (const statement of source.statements.filter(ts.isTypeAliasDeclaration))
    aliases.set(textOfType(checker, statement.type, source), statement.name.text)
  const visit = (node: ts.Node): void => {
    const text = ts.isTypeNode(node) ? node.getText(source) : ''
    if (ts.isTypeReferenceNode(node) && text.startsWith('ClientOf<')) clients.push(node)
    else if (ts.isTypeNode(node) && whole.test(text)) written.set(text, textOfType(checker, node, source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const node of clients) written.set(node.getText(source), methodsOf(checker, node, source, aliases))
  return written
}

const textOfType = (checker: ts.TypeChecker, node: ts.TypeNode, source: ts.SourceFile): string =>
  checker.typeToString(checker.getTypeFromTypeNode(node), source, flags)

/** Methods with the comments of their rows, in the names that the file has for what they take and answer. */
function methodsOf(
  checker: ts.TypeChecker,
  node: ts.TypeNode,
  source: ts.SourceFile,
  aliases: ReadonlyMap<string, string>,
): string {
  const named = (type: ts.Type): string => {
    const present = checker.getNonNullableType(type)
    const [item] = checker.isArrayType(present) ? typeArguments(checker, present) : []
    if (item !== undefined) return `readonly ${named(item)}[]`
    const text = checker.typeToString(present, source, flags)
    return aliases.get(text) ?? text
  }
  const methods = checker
    .getTypeFromTypeNode(node)
    .getProperties()
    .map((method) => {
      const [signature] = checker.getTypeOfSymbol(method).getCallSignatures()
      const [given] = signature?.getParameters() ?? []
      const [answer] = signature === undefined ? [] : typeArguments(checker, signature.getReturnType())
      if (given === undefined || answer === undefined) throw new Error(`${method.name} is no method`)
      const told = ts.displayPartsToString(method.getDocumentationComment(checker))
      const comment = told === '' ? '' : `/** ${told} */\n`
      const taken = parametersOf(checker, checker.getTypeOfSymbol(given), named)
      return `${comment}${method.name}(${taken}): Promise<${named(answer)}>;`
    })
  return `{\n${methods.join('\n')}\n}`
}

/** A method takes a tuple whose elements have names. */
function parametersOf(checker: ts.TypeChecker, tuple: ts.Type, named: (type: ts.Type) => string): string {
  if (!isTuple(checker, tuple)) throw new Error('the arguments are no tuple')
  const { elementFlags, labeledElementDeclarations = [] } = tuple.target
  const types = typeArguments(checker, tuple)
  const parameters = types.map((type, place) => {
    const isOptional = elementFlags[place] === ts.ElementFlags.Optional
    const name = labeledElementDeclarations[place]?.name.getText() ?? `given${place}`
    return `${name}${isOptional ? '?' : ''}: ${named(type)}`
  })
  return parameters.join(', ')
}

const isTuple = (checker: ts.TypeChecker, type: ts.Type): type is ts.TupleTypeReference =>
  checker.isTupleType(type)

const isReference = (type: ts.Type): type is ts.TypeReference => 'target' in type

const typeArguments = (checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] =>
  isReference(type) ? checker.getTypeArguments(type) : []

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
