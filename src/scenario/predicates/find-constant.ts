import {
  addExact,
  type Comparison,
  compareExact,
  type ExactDecimal,
  exact,
  exactToText,
  holdsExactly,
  multiplyExact,
  negateExact,
} from './exact.ts'
import {
  and,
  type Expression,
  listReadouts,
  type PredicatePart,
  type ReadoutPart,
  typeOf,
} from './predicate.ts'

/*
 * Predicates that have one answer whatever the venue does, such as `x == x` or `x < 5 or x >= 5`. Nothing that is seen
 * can break or fulfil them, so they judge nothing.
 */

/**
 * Returns why a predicate judges nothing, with the part that decides it, or null for all parts together. Returns null
 * if the predicate judges something; a part that always holds does not change that for the others.
 */
export function findEmptyJudgement(parts: readonly PredicatePart[]): Emptiness | null {
  const whole = joinParts(parts)
  const truth = whole === null ? null : findConstantTruth(whole)
  if (truth === null) return null
  const part = parts.find(({ expression }) => findConstantTruth(expression) === truth) ?? null
  const judged = part === null ? parts : [part]
  const looks = judged.some(({ expression }) => listReadouts(expression).next().done !== true)
  if (!looks) return { reason: looksAtNothing, part }
  return { reason: truth ? alwaysHolds : neverHolds, part }
}

/**
 * Returns whether a predicate follows from another one, whatever the venue does, such as `x > 1` from `x > 2`. Of a
 * predicate that by itself holds at no time nothing is said to follow: `findEmptyJudgement` reports that one.
 */
export function followsFrom(to: readonly PredicatePart[], from: readonly PredicatePart[]): boolean {
  const [cause, effect] = [joinParts(from), joinParts(to)]
  if (cause === null || effect === null || findConstantTruth(cause) !== null) return false
  return findConstantTruth({ kind: 'or', left: { kind: 'not', operand: cause }, right: effect }) === true
}

function joinParts(parts: readonly PredicatePart[]): Expression | null {
  const [first, ...others] = parts.map(({ expression }) => expression)
  return first === undefined ? null : others.reduce(and, first)
}

interface Emptiness {
  readonly reason: string
  readonly part: PredicatePart | null
}

const looksAtNothing = 'looks at nothing of the venue; compare a read-out, such as price.BTC.mid'
const alwaysHolds = 'holds whatever the venue does, so that nothing can break it'
const neverHolds = 'holds at no time, whatever the venue does'

/** How many combinations of values are tried. An expression with more is taken to depend on them. */
const maximumCombinations = 4096

/**
 * Returns the answer of an expression that has the same one for all values of its read-outs; null where it depends on
 * them. Numbers are compared as polynomials of read-outs. An expression that cannot be decided counts as dependent.
 */
function findConstantTruth(expression: Expression): boolean | null {
  const variables = new Map<string, Variable>()
  const truth = compileTruth(expression, { variables })
  const all = [...variables.values()]
  const combinations = all.reduce((product, variable) => product * countPositions(variable), 1)
  if (combinations > maximumCombinations) return null
  const first = truth()
  for (let combination = 1; combination < combinations; combination += 1) {
    moveOn(all)
    if (truth() !== first) return null
  }
  return first
}

/** What an answer depends on, and which of its possible values it has at present. */
type Variable = { position: number } & (
  | { readonly kind: 'flag' }
  /** The texts that it may be; null stands for any other. */
  | { readonly kind: 'text'; readonly texts: Set<string | null> }
  /** The bounds that it is compared with, in rising order. It is at one of them, between two, or beyond all. */
  | { readonly kind: 'number'; readonly bounds: ExactDecimal[]; readonly isNeverNegative: boolean }
)

interface Scope {
  readonly variables: Map<string, Variable>
}

function countPositions(variable: Variable): number {
  if (variable.kind === 'flag') return 2
  if (variable.kind === 'text') return variable.texts.size
  return 2 * variable.bounds.length + 1 - firstPlace(variable)
}

/** Returns the first place of a number: 0 lies below all bounds, 1 is at the first of them. */
const firstPlace = ({ bounds, isNeverNegative }: Extract<Variable, { readonly kind: 'number' }>): number =>
  isNeverNegative ? 2 * findBound(bounds, zero) + 1 : 0

/** Goes to the next combination of values, as an odometer does. */
function moveOn(variables: readonly Variable[]): void {
  for (const variable of variables) {
    variable.position += 1
    if (variable.position < countPositions(variable)) return
    variable.position = 0
  }
}

type Truth = () => boolean

function compileTruth(expression: Expression, scope: Scope): Truth {
  switch (expression.kind) {
    case 'boolean':
      return () => expression.value
    case 'not': {
      const operand = compileTruth(expression.operand, scope)
      return () => !operand()
    }
    case 'and':
    case 'or': {
      const left = compileTruth(expression.left, scope)
      const right = compileTruth(expression.right, scope)
      return expression.kind === 'and' ? () => left() && right() : () => left() || right()
    }
    case 'in': {
      const { operand, options } = expression
      const equal = options.map((option) => compileComparison('==', operand, option, scope))
      return () => equal.some((isEqual) => isEqual())
    }
    case 'compare':
      return compileComparison(expression.operator, expression.left, expression.right, scope)
    case 'readout':
      return compileFlag(expression.name, scope)
    default:
      return compileFlag('a value', scope)
  }
}

function compileComparison(operator: Comparison, left: Expression, right: Expression, scope: Scope): Truth {
  const type = typeOf(left)
  if (type === 'number') return compareNumbers(operator, subtract(toForm(left), toForm(right)), scope)
  const isEqual = type === 'text' ? compareTexts(left, right, scope) : compareTruths(left, right, scope)
  return operator === '==' ? isEqual : () => !isEqual()
}

function compareTruths(left: Expression, right: Expression, scope: Scope): Truth {
  const [first, second] = [compileTruth(left, scope), compileTruth(right, scope)]
  return () => first() === second()
}

function compareTexts(left: Expression, right: Expression, scope: Scope): Truth {
  if (left.kind === 'text' && right.kind === 'text') return () => left.value === right.value
  if (left.kind === 'readout' && right.kind === 'text') return compareWithText(left, right.value, scope)
  if (left.kind === 'text' && right.kind === 'readout') return compareWithText(right, left.value, scope)
  if (left.kind !== 'readout' || right.kind !== 'readout') return compileFlag('a value', scope)
  if (left.name === right.name) return () => true
  return compileFlag([left.name, right.name].sort().join(' == '), scope)
}

function compareWithText(
  { name }: Extract<Expression, { readonly kind: 'readout' }>,
  text: string,
  { variables }: Scope,
): Truth {
  const texts = new Set<string | null>([null])
  const variable = addVariable(variables, name, { kind: 'text', texts, position: 0 })
  if (variable.kind === 'text') variable.texts.add(text)
  return () => variable.kind === 'text' && [...variable.texts][variable.position] === text
}

function compileFlag(name: string, { variables }: Scope): Truth {
  const variable = addVariable(variables, name, { kind: 'flag', position: 0 })
  return () => variable.position === 1
}

/** Compares a form with 0. */
function compareNumbers(operator: Comparison, form: Form, { variables }: Scope): Truth {
  const constant = form.get('')?.coefficient ?? zero
  const rest = [...form.values()].filter(({ factors }) => factors.length > 0)
  const [first] = rest
  if (first === undefined) return () => holdsExactly(constant, operator, zero)
  // `-x > -5` is `x < 5`.
  const isNegative = first.coefficient.units < 0n
  const terms = isNegative ? rest.map(negateTerm) : rest
  const bound = isNegative ? constant : negateExact(constant)
  const isNeverNegative = terms.length === 1 && terms.every(isNeverBelowZero)
  const bounds = isNeverNegative ? [zero] : []
  const added = { kind: 'number', bounds, isNeverNegative, position: 0 } as const
  const variable = addVariable(variables, formatTerms(terms), added)
  if (variable.kind !== 'number') return () => false
  if (!variable.bounds.some((other) => compareExact(other, bound) === 0))
    variable.bounds.splice(findBound(variable.bounds, bound), 0, bound)
  return () => {
    const place = firstPlace(variable) + variable.position
    const distance = exact(place - (2 * findBound(variable.bounds, bound) + 1), 0)
    return isNegative ? holdsExactly(zero, operator, distance) : holdsExactly(distance, operator, zero)
  }
}

/** Returns the index of a bound, or the one at which it belongs. */
function findBound(bounds: readonly ExactDecimal[], bound: ExactDecimal): number {
  const index = bounds.findIndex((other) => compareExact(other, bound) >= 0)
  return index < 0 ? bounds.length : index
}

function addVariable(variables: Map<string, Variable>, name: string, added: Variable): Variable {
  const known = variables.get(`${added.kind} ${name}`)
  if (known !== undefined) return known
  variables.set(`${added.kind} ${name}`, added)
  return added
}

/* Polynomials of read-outs. */

interface Term {
  /** The read-outs, marked where they are counts, and absolute values that are multiplied, in the order of their names. */
  readonly factors: readonly string[]
  readonly coefficient: ExactDecimal
}

/** A sum of terms by their factors, in the order of those. */
type Form = ReadonlyMap<string, Term>

const zero = exact(0, 0)

/** A product with more terms, or more digits behind the point, is not multiplied out. */
const maximumTerms = 64
const maximumScale = 1000

function toForm(expression: Expression): Form {
  switch (expression.kind) {
    case 'number':
      return sumTerms([{ factors: [], coefficient: expression.value }])
    case 'negate':
      return sumTerms([...toForm(expression.operand).values()].map(negateTerm))
    case 'absolute':
      return toSingle(`abs(${formatTerms([...toForm(expression.operand).values()])})`)
    case 'arithmetic': {
      const [left, right] = [toForm(expression.left), toForm(expression.right)]
      if (expression.operator === '+') return sumTerms([...left.values(), ...right.values()])
      if (expression.operator === '-') return subtract(left, right)
      return multiply(left, right)
    }
    case 'readout':
      return toSingle(isCount(expression.readout) ? `count(${expression.name})` : expression.name)
    default:
      return toSingle('a value')
  }
}

/** The read-outs that are never below 0, by their families: the time that has passed, and numbers of things. */
const counts: { readonly [family: string]: readonly string[] } = {
  clock: [''],
  account: ['openOrders', 'openPositions', 'fills'],
  metrics: ['fills', 'makerFills'],
}

const isCount = ({ family, field }: ReadoutPart['readout']): boolean =>
  counts[family]?.includes(field) === true

const toSingle = (factor: string): Form => sumTerms([{ factors: [factor], coefficient: exact(1, 0) }])

const subtract = (left: Form, right: Form): Form =>
  sumTerms([...left.values(), ...[...right.values()].map(negateTerm)])

function multiply(left: Form, right: Form): Form {
  const terms = [...left.values()].flatMap((one) =>
    [...right.values()].map((other) => ({
      factors: [...one.factors, ...other.factors].sort(),
      coefficient: multiplyExact(one.coefficient, other.coefficient),
    })),
  )
  const isSmall =
    terms.length <= maximumTerms && terms.every(({ coefficient }) => coefficient.scale <= maximumScale)
  if (isSmall) return sumTerms(terms)
  return toSingle([left, right].map((side) => `(${formatTerms([...side.values()])})`).join('*'))
}

function sumTerms(terms: readonly Term[]): Form {
  const sums = new Map<string, Term>()
  for (const { factors, coefficient } of terms) {
    const key = factors.join('*')
    const sum = addExact(sums.get(key)?.coefficient ?? zero, coefficient)
    sums.set(key, { factors, coefficient: sum })
  }
  const kept = [...sums].filter(([, { coefficient }]) => coefficient.units !== 0n)
  return new Map(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const negateTerm = ({ factors, coefficient }: Term): Term => ({
  factors,
  coefficient: negateExact(coefficient),
})

const formatTerms = (terms: readonly Term[]): string =>
  terms.map(({ factors, coefficient }) => `${exactToText(coefficient)}*${factors.join('*')}`).join(' + ')

/** Returns whether a term with a positive coefficient is never below 0. */
function isNeverBelowZero({ factors }: Term): boolean {
  const single = factors.filter((factor) => !/^(abs|count)\(/.test(factor))
  return single.every((factor, index) => factor === single[index % 2 === 0 ? index + 1 : index - 1])
}
