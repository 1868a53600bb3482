/** An event with its instant, as both the engine and its twin emit it. */
export interface RecordedEvent {
  readonly at: number
  readonly name: string
  readonly subject: number
  readonly account: number
  readonly asset: number
  readonly first: number
  readonly second: number
  readonly third: number
}

/** Writes an event as one line: name, subject, account, asset, and the slots up to the last one that is not 0. */
export function lineOf(event: RecordedEvent): string {
  const slots = [event.first, event.second, event.third]
  while (slots.length > 0 && slots.at(-1) === 0) slots.pop()
  return [event.name, event.subject, event.account, event.asset, ...slots].join(' ')
}
