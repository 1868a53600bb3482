/** The nine type names of errors (Spec: Errors). */
export const errorTypes = [
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'TIMESTAMP_EXPIRED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'ORDER_NOT_FOUND',
  'QUOTE_NOT_FOUND',
  'RISK_LIMIT_EXCEEDED',
] as const
export type ErrorType = (typeof errorTypes)[number]

/**
 * Finds the error type in the text of a body, wherever a reading puts it; null for a success and for an error without
 * a type.
 */
export function findErrorType(status: number, text: string): ErrorType | null {
  if (status < 400) return null
  return errorTypes.find((type) => text.includes(`"${type}"`)) ?? null
}
