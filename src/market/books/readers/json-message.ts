/* What readers of exchanges' messages share: fields of JSON without trust in their types. */

export type JsonMessage = Readonly<Record<string, unknown>>

/** Reads the book and the trades that the messages of one exchange state. */
export interface MessageBook {
  readonly format: string
  /** Returns whether a message is of this exchange. */
  recognizes(message: JsonMessage): boolean
  /** Reads a message; returns false for one that is neither of the book nor of trades. `localMicros` is -1 where unknown. */
  read(message: JsonMessage, localMicros: number, line: number): boolean
  end(): void
}

export const isMessage = (value: unknown): value is JsonMessage =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the text of a field; empty for anything else. */
export function readTextField(message: JsonMessage, name: string): string {
  const value = message[name]
  return typeof value === 'string' ? value : ''
}

/** Returns the number of a field; NaN for anything else. */
export function readNumberField(message: JsonMessage, name: string): number {
  const value = message[name]
  return typeof value === 'number' ? value : Number.NaN
}

/** Reads the number of a text such as `2683.80`; NaN for anything else. */
export const readDecimal = (value: unknown): number =>
  typeof value === 'string' && /^\d+(\.\d*)?([eE][+-]?\d+)?$/.test(value)
    ? Number(value)
    : typeof value === 'number'
      ? value
      : Number.NaN

/** Returns the items of a field; none for anything but a list. */
export function listOf(message: JsonMessage, name: string): readonly unknown[] {
  const value = message[name]
  return Array.isArray(value) ? value : []
}

/** Returns the instant of a field in milliseconds as microseconds since 1970; -1 for anything else. */
export function microsOf(message: JsonMessage, name: string): number {
  const value = message[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value * 1_000 : -1
}
