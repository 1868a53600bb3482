import type { RecordOf } from '../shape/shape.ts'
import type { ErrorType } from './error-types.ts'
import type { InputProblem } from './input-problem.ts'
import type { errorShape } from './operations/common.ts'
import type { Readings } from './readings/readings.ts'

/**
 * Every problem by its code: the HTTP status, the type name where the specification has one, and the message for
 * problems without a reason of their own.
 */
export const problems = {
  'invalid-parameter': { status: 400, type: null, message: 'The request is not valid' },
  'pair-violation': { status: 400, type: null, message: 'The order does not fit its trading pair' },
  'pair-inactive': { status: 400, type: null, message: 'The trading pair is inactive' },
  'invalid-http': { status: 400, type: null, message: 'The request is not valid HTTP/1.1' },
  'invalid-key': { status: 401, type: 'INVALID_API_KEY', message: 'The API key is missing or not valid' },
  'invalid-signature': { status: 401, type: 'INVALID_SIGNATURE', message: 'The signature does not verify' },
  'timestamp-expired': {
    status: 401,
    type: 'TIMESTAMP_EXPIRED',
    message: 'The timestamp is too old or too far ahead',
  },
  'unauthorized-admin': { status: 401, type: null, message: 'The admin token is missing or not valid' },
  'insufficient-scope': {
    status: 403,
    type: 'INSUFFICIENT_SCOPE',
    message: 'The API key lacks the scope that this endpoint requires',
  },
  'foreign-origin': { status: 403, type: null, message: 'Requests from other origins are refused' },
  'unknown-route': { status: 404, type: null, message: 'There is nothing at this path' },
  'unknown-order': { status: 404, type: 'ORDER_NOT_FOUND', message: 'The order does not exist' },
  'unknown-quote': { status: 404, type: 'QUOTE_NOT_FOUND', message: 'The quote does not exist' },
  'unknown-asset': { status: 404, type: null, message: 'The asset does not exist' },
  'unknown-position': { status: 404, type: null, message: 'There is no position in this asset' },
  'unknown-account': { status: 404, type: null, message: 'The account does not exist' },
  'unknown-transfer': { status: 404, type: null, message: 'The transfer does not exist' },
  'unknown-resource': { status: 404, type: null, message: 'The resource does not exist' },
  'wrong-method': { status: 405, type: null, message: 'The method is not allowed at this path' },
  'request-timeout': { status: 408, type: null, message: 'The request took too long to arrive' },
  'order-terminal': { status: 409, type: null, message: 'The order is done and cannot be changed' },
  'quote-terminal': { status: 409, type: null, message: 'The quote is no longer live' },
  'transfer-terminal': { status: 409, type: null, message: 'The transfer is settled' },
  'duplicate-client-id': { status: 409, type: null, message: 'The client id has been used' },
  'account-exists': { status: 409, type: null, message: 'The account exists' },
  'backward-time': { status: 409, type: null, message: 'Time does not go back' },
  'unfunded-withdrawal': { status: 409, type: null, message: 'The withdrawal is more than is available' },
  conflict: { status: 409, type: null, message: 'The request does not fit the present state' },
  'payload-too-large': { status: 413, type: null, message: 'The body is larger than 1 MiB' },
  'unsupported-media-type': { status: 415, type: null, message: 'A body must be application/json in UTF-8' },
  'expectation-failed': { status: 417, type: null, message: 'The expectation is not supported' },
  'insufficient-balance': {
    status: 422,
    type: 'INSUFFICIENT_BALANCE',
    message: 'The balance is not enough for the order',
  },
  'risk-limit': { status: 422, type: 'RISK_LIMIT_EXCEEDED', message: 'The order would breach a risk limit' },
  'rate-limited': { status: 429, type: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests' },
  'headers-too-large': { status: 431, type: null, message: 'The request line and headers are too large' },
  internal: { status: 500, type: null, message: 'The service failed; this is a bug' },
  'read-only': {
    status: 500,
    type: null,
    message: 'The journal cannot be written, so nothing can be changed',
  },
  unavailable: { status: 503, type: null, message: 'The service is not ready' },
} as const satisfies { readonly [code: string]: ProblemEntry }

interface ProblemEntry {
  readonly status: Status
  readonly type: ErrorType | null
  readonly message: string
}

export type ProblemCode = keyof typeof problems

export const problemCodes = Object.keys(problems).filter((code): code is ProblemCode =>
  Object.hasOwn(problems, code),
)

/** Why a request is refused. `reason` follows the name of `field` if there is one, else it is a sentence of its own. */
export interface Problem extends Partial<Omit<InputProblem, 'code'>> {
  readonly code: ProblemCode
  /** The status in place of that of the code, where a reading asks for one. */
  readonly status?: Status
}

/** The body of an error (Spec: Errors). Readings may turn the message into a list and add a field for the type. */
export type ErrorBody = Omit<RecordOf<typeof errorShape>, 'message'> & {
  readonly message: string | readonly string[]
  readonly code?: ErrorType
  readonly errorCode?: ErrorType
}

/** The status phrases of RFC 9110 and RFC 6585, spelt as Node spells them. */
export const phrases = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const
export type Status = keyof typeof phrases

/** Makes the problem of an invalid field. */
export function invalidParameter(problem: Omit<InputProblem, 'code'>): Problem {
  return { code: 'invalid-parameter', ...problem }
}

/** Returns the HTTP status of a problem, which some readings change. */
export function problemStatus(problem: Problem, readings: Readings): Status {
  if (problem.status !== undefined) return problem.status
  switch (problem.code) {
    case 'pair-violation':
      return readings['pairs.violation'] === '422' ? 422 : 400
    case 'insufficient-balance':
      return toStatus(readings['error.balanceStatus'])
    case 'timestamp-expired':
      return toStatus(readings['auth.timestampStatus'])
    case 'invalid-signature':
      return toStatus(readings['auth.signatureStatus'])
    default:
      return problems[problem.code].status
  }
}

/** Returns the body of an error (Spec: Errors). The field that has the type name is reading `error.typeField`. */
export function errorBody(problem: Problem, readings: Readings): ErrorBody {
  const status = problemStatus(problem, readings)
  const type = problemType(problem, status)
  const place = type === null ? 'none' : readings['error.typeField']
  const message = problemMessage(problem)
  const { field, reason } = problem
  return {
    statusCode: status,
    message: listsMessages(status, readings) ? [message] : message,
    error: type !== null && place === 'error' ? type : phrases[status],
    details: {
      ...(field === undefined ? {} : { field }),
      ...(reason === undefined ? {} : { reason }),
      ...(type !== null && place === 'details.type' ? { type } : {}),
    },
    ...(type !== null && place === 'code' ? { code: type } : {}),
    ...(type !== null && place === 'errorCode' ? { errorCode: type } : {}),
  }
}

/** Returns whether errors of a status have their message in a list (reading `error.message`). */
export function listsMessages(status: number, { 'error.message': form }: Readings): boolean {
  return form === 'array' || (form === 'list' && status === 400)
}

/** Returns the sentence that describes a problem to people. It is also the `error` of a failed item in a batch. */
export function problemMessage(problem: Problem): string {
  const { code, field, reason } = problem
  if (reason === undefined) return problems[code].message
  return field === undefined ? reason : `${field} ${reason}`
}

/**
 * Returns the type name of a problem. A violation of a pair's rules counts as a risk limit where a reading makes it
 * 422.
 */
function problemType(problem: Problem, status: Status): ErrorType | null {
  if (problem.code === 'pair-violation' && status === 422) return 'RISK_LIMIT_EXCEEDED'
  return problems[problem.code].type
}

function toStatus(text: '400' | '401' | '403' | '422'): Status {
  return text === '400' ? 400 : text === '401' ? 401 : text === '403' ? 403 : 422
}
