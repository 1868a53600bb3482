/* Wrong values for any field, by how a golden file shows them, and lines that tell what each of them leads to. */

/** What is sent in place of a right value; undefined leaves the field out. */
export const wrongValues: readonly unknown[] = [
  undefined,
  null,
  true,
  'nonsense',
  '',
  ' BTC',
  '1',
  '2026-02-30',
  'x'.repeat(300),
  'a\u0000b',
  7,
  0,
  -1,
  0.5,
  1e-9,
  0.1 + 0.2,
  1e15,
  123456789.123,
  [],
  ['x'],
  {},
  { x: 1 },
]

/** What is written behind the name of a query parameter. */
export const wrongWords: readonly string[] = [
  '',
  '0',
  '1',
  '-1',
  '%2B1',
  '1.5',
  '101',
  '1e3',
  '99999999999999999999',
  'nonsense',
  'BTC',
  'btc',
  'GOLD',
  'USD',
  'BTC,,ETH',
  'BTC,GOLD',
  'buy',
  'open,done',
  'open',
  '1h',
  '2026-02-30',
  '2026-01-05',
  '2026-01-05T00:00:00',
  '%00',
  '%zz',
  'x'.repeat(300),
]

export function shownValue(value: unknown): string {
  const text = value === undefined ? 'left out' : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 12)}... (${text.length})` : text
}

/** One line for each answer, with all that led to it, in the order in which the answers first came. */
export function groupedByAnswer(
  title: string,
  cases: readonly (readonly [shown: string, answer: string])[],
): readonly string[] {
  const byAnswer = new Map<string, string[]>()
  for (const [shown, answer] of cases) {
    const shownBefore = byAnswer.get(answer) ?? []
    byAnswer.set(answer, [...shownBefore, shown])
  }
  return [...byAnswer].map(([answer, shown]) => `${title} ${shown.join(' | ')}\n  ${answer}`)
}
