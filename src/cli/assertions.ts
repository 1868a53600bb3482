import type { Assertion } from '../backtest/report/report-context.ts'
import { CliFailure, exitCode } from './failure.ts'
import { meant } from './meant.ts'

/** `drawdown.maximum > -0.1`: a figure by its name, a comparison, a number. */
export interface Condition {
  readonly text: string
  readonly name: string
  readonly operator: Operator
  readonly bound: number
}

const operators = ['<=', '>=', '==', '!=', '<', '>'] as const
type Operator = (typeof operators)[number]

/** Reads the conditions of `--assert`. Ends the command when one is malformed. */
export function parseConditions(texts: readonly string[]): readonly Condition[] {
  return texts.map((text) => {
    const match = /^\s*([\w.-]+)\s*(<=|>=|==|!=|<|>)\s*(-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)\s*$/.exec(text)
    const operator = operators.find((one) => one === match?.[2])
    const [, name = '', , bound = ''] = match ?? []
    if (operator === undefined) {
      throw new CliFailure(
        exitCode.usage,
        `--assert: expected a figure, a comparison and a number, such as "drawdown.maximum > -0.1", found "${text}"`,
      )
    }
    return { text: `${name} ${operator} ${bound}`, name, operator, bound: Number(bound) }
  })
}

/**
 * Whether each condition holds. A figure that is undefined for the run meets none; a name that is not a figure's is a
 * mistake, and never a pass.
 */
export function judgeConditions(
  conditions: readonly Condition[],
  figures: Readonly<Record<string, number | null>>,
): readonly Assertion[] {
  return conditions.map(({ bound, name, operator, text }) => {
    const value = figures[name]
    if (value === undefined) {
      const hint = meant(name, Object.keys(figures))
      throw new CliFailure(exitCode.usage, `--assert: there is no figure "${name}"${hint}`)
    }
    if (value === null) return { text, isMet: false, got: 'not defined' }
    return { text, isMet: holds(value, operator, bound), got: String(Number(value.toPrecision(6))) }
  })
}

function holds(value: number, operator: Operator, bound: number): boolean {
  switch (operator) {
    case '<':
      return value < bound
    case '<=':
      return value <= bound
    case '>':
      return value > bound
    case '>=':
      return value >= bound
    case '==':
      return value === bound
    case '!=':
      return value !== bound
  }
}
