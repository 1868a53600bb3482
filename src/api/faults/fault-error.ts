import { type ErrorType, errorTypes } from '../error-types.ts'
import { errorBody, type ProblemCode, problems } from '../errors.ts'
import type { Readings } from '../readings/readings.ts'

/**
 * The body of the error that a rule asks for, in the venue's shape. `phrase` is that of the status. Choice: a status
 * for which the venue has only one type gets that type when the rule names none.
 */
export function faultErrorBody(
  status: number,
  type: string | null,
  phrase: string,
  readings: Readings,
): object {
  const known = errorTypes.find((name) => name === (type ?? onlyTypeOf(status)))
  if (known === undefined) {
    const message = readings['error.message'] === 'array' ? [phrase] : phrase
    return { statusCode: status, message, error: phrase, details: {} }
  }
  const body = errorBody({ code: codeOf(known) }, readings)
  return { ...body, statusCode: status, error: body.error === known ? known : phrase }
}

function onlyTypeOf(status: number): ErrorType | null {
  if (status === 403) return 'INSUFFICIENT_SCOPE'
  return status === 429 ? 'RATE_LIMIT_EXCEEDED' : null
}

/** The venue's message for that type. */
function codeOf(type: ErrorType): ProblemCode {
  return codes.find((code) => problems[code].type === type) ?? 'internal'
}

const codes: readonly ProblemCode[] = [
  'invalid-key',
  'invalid-signature',
  'timestamp-expired',
  'insufficient-scope',
  'rate-limited',
  'insufficient-balance',
  'unknown-order',
  'unknown-quote',
  'risk-limit',
]
