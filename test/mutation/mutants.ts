import ts from 'typescript'
import { replacementsOf } from './operators.ts'

/** One small change of one file, which some test should notice. */
export interface Mutant {
  readonly path: string
  /** Offsets into the file's text, between which it is replaced. */
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
  /** From 1. */
  readonly line: number
  /** The function, method or class around it; `top` outside of all. */
  readonly within: string
}

/** All mutants of a file, in order of their places. Imports, types and messages of broken invariants have none. */
export function mutantsOf(path: string, text: string): readonly Mutant[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const mutants: Mutant[] = []
  const seen = new Set<string>()
  const visit = (node: ts.Node, within: string): void => {
    if (isSkipped(node)) return
    for (const { target, replacement } of replacementsOf(node)) {
      const start = target.getStart()
      const end = target.getEnd()
      const original = text.slice(start, end)
      const key = `${start} ${end} ${replacement}`
      if (original === replacement || seen.has(key)) continue
      seen.add(key)
      const line = tree.getLineAndCharacterOfPosition(start).line + 1
      mutants.push({ path, start, end, original, replacement, line, within })
    }
    const inner = nameOf(node) ?? within
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  visit(tree, 'top')
  return mutants.sort((left, right) => left.start - right.start || left.end - right.end)
}

/** The file's text with the mutant in it. */
export function mutated(text: string, mutant: Mutant): string {
  return text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end)
}

/** The change in one line: `a < b → a <= b`. */
export function changeOf({ original, replacement }: Mutant): string {
  return `${oneLine(original)} → ${oneLine(replacement)}`
}

const maximumShown = 90

function oneLine(text: string): string {
  const short = text.replace(/\s+/g, ' ').replaceAll('`', "'").trim()
  if (short === '') return '(nothing)'
  return short.length > maximumShown ? `${short.slice(0, maximumShown)}…` : short
}

/** Types, imports, and texts that only a broken program would show. */
function isSkipped(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  return isTextOfFailure(node)
}

function isTextOfFailure(node: ts.Node): boolean {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false
  const { parent } = node
  if (ts.isNewExpression(parent)) return /Error$/.test(parent.expression.getText())
  return ts.isCallExpression(parent) && /^(assert|missing|super)$/.test(parent.expression.getText())
}

function nameOf(node: ts.Node): string | null {
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessor(node) ||
    ts.isSetAccessor(node)
  if (isNamed) return node.name?.getText() ?? null
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  const isFunctionValue =
    ts.isVariableDeclaration(node) &&
    node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
  return isFunctionValue ? node.name.getText() : null
}
