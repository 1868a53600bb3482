import ts from 'typescript'

/** Text that replaces a node. */
export interface Replacement {
  readonly target: ts.Node
  readonly replacement: string
}

/*
 * The usual mutations (the list of Stryker's mutators): operators, conditions, booleans, updates, strings, arrays, blocks
 * and methods. In addition, statements that only call something are removed.
 */

/** All mutations of this node, without its children. */
export function replacementsOf(node: ts.Node): readonly Replacement[] {
  return [
    ...ofBinary(node),
    ...ofCondition(node),
    ...ofUnary(node),
    ...ofBoolean(node),
    ...ofText(node),
    ...ofList(node),
    ...ofBlock(node),
    ...ofCall(node),
  ]
}

const operators: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '%=': ['*='],
  '|=': ['&='],
  '&=': ['|='],
  '^=': ['&='],
  '<<=': ['>>='],
  '>>=': ['<<='],
  '>>>=': ['<<='],
  '??=': ['&&='],
}

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '===', '!=='])

function ofBinary(node: ts.Node): readonly Replacement[] {
  if (!ts.isBinaryExpression(node)) return []
  const operator = node.operatorToken.getText()
  if (operator === '+' && (isText(node.left) || isText(node.right))) return []
  const swapped = (operators[operator] ?? []).map((other) => within(node, node.operatorToken, other))
  return comparisons.has(operator) ? [...swapped, ...fixed(node, ['true', 'false'])] : swapped
}

/** Conditions that are always or never true. Loops only get the latter, because an endless one shows nothing. */
function ofCondition(node: ts.Node): readonly Replacement[] {
  if (ts.isIfStatement(node)) return fixed(node.expression, ['true', 'false'])
  if (ts.isConditionalExpression(node)) return fixed(node.condition, ['true', 'false'])
  if (ts.isWhileStatement(node)) return fixed(node.expression, ['false'])
  return ts.isForStatement(node) && node.condition !== undefined ? fixed(node.condition, ['false']) : []
}

function ofUnary(node: ts.Node): readonly Replacement[] {
  if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) {
    const operand = node.operand.getText()
    switch (node.operator) {
      case ts.SyntaxKind.PlusPlusToken:
        return [{ target: node, replacement: `${operand}--` }]
      case ts.SyntaxKind.MinusMinusToken:
        return [{ target: node, replacement: `${operand}++` }]
      case ts.SyntaxKind.PlusToken:
        return [{ target: node, replacement: `-${operand}` }]
      default:
        return [{ target: node, replacement: operand }]
    }
  }
  return []
}

function ofBoolean(node: ts.Node): readonly Replacement[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ target: node, replacement: 'false' }]
  return node.kind === ts.SyntaxKind.FalseKeyword ? [{ target: node, replacement: 'true' }] : []
}

/** The empty string, or a text instead of it; names of properties stay. */
function ofText(node: ts.Node): readonly Replacement[] {
  if (!isText(node) || (ts.isPropertyAssignment(node.parent) && node.parent.name === node)) return []
  const isEmpty = ts.isStringLiteralLike(node) && node.text === ''
  return [{ target: node, replacement: isEmpty ? "'mutated'" : "''" }]
}

function ofList(node: ts.Node): readonly Replacement[] {
  return ts.isArrayLiteralExpression(node) && node.elements.length > 0
    ? [{ target: node, replacement: '[]' }]
    : []
}

function ofBlock(node: ts.Node): readonly Replacement[] {
  return ts.isBlock(node) && node.statements.length > 0 ? [{ target: node, replacement: '{}' }] : []
}

/** `null` means that the call is replaced by its receiver. */
const methods: Readonly<Record<string, string | null>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  trunc: 'floor',
  round: 'floor',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
  trim: null,
  slice: null,
  filter: null,
  sort: null,
  toSorted: null,
  reverse: null,
  toReversed: null,
  padStart: 'padEnd',
  padEnd: 'padStart',
  push: 'unshift',
}

function ofCall(node: ts.Node): readonly Replacement[] {
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression))
    return isSuperCall(node.expression) ? [] : [{ target: node, replacement: ';' }]
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { expression, name } = node.expression
  if (name.text === 'abs' && expression.getText() === 'Math')
    return [{ target: node, replacement: `(${node.arguments[0]?.getText() ?? ''})` }]
  const other = Object.hasOwn(methods, name.text) ? methods[name.text] : undefined
  if (other === undefined) return []
  return other === null ? [{ target: node, replacement: expression.getText() }] : [within(node, name, other)]
}

function isSuperCall(call: ts.CallExpression): boolean {
  return call.expression.kind === ts.SyntaxKind.SuperKeyword
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

/** Replaces a part of a node, but shows the whole node, so that the report identifies the place. */
function within(target: ts.Node, part: ts.Node, other: string): Replacement {
  const text = target.getText()
  const start = part.getStart() - target.getStart()
  return { target, replacement: text.slice(0, start) + other + text.slice(start + part.getText().length) }
}

function fixed(target: ts.Node, values: readonly string[]): readonly Replacement[] {
  return values.map((replacement) => ({ target, replacement }))
}
