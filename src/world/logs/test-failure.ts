import type { TestFailure } from '../../api/admin-answers.ts'
import { isObject, parseJson } from '../../api/json.ts'
import { refusalReason, requestMeaning } from '../../api/request-words.ts'
import { leaveOutSecrets } from '../../journal/leave-out-secrets.ts'
import { Hash128 } from '../../numeric/hash.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

export interface FailedWorld {
  readonly id: string
  readonly seed: string
  readonly sequence: number
  readonly now: number
  readonly requests: RequestLog
  failure: TestFailure | null
}

/** Where runners keep what belongs to a failed test. */
export const failureFolder = '.otcsim'

const longestMessage = 20_000

/** Notes a failure in its world, where the console shows it. */
export function noteFailure(world: FailedWorld, test: string, message: string): TestFailure {
  const requests = world.requests.since(0)
  const refused = requests.findLast(isRefused)
  const failure = {
    test,
    message: message.slice(0, longestMessage),
    world: world.id,
    seed: world.seed,
    sequence: world.sequence,
    at: millisToIso(world.now),
    account: refused?.account ?? requests.findLast(({ account }) => account !== null)?.account ?? null,
  }
  world.failure = failure
  return failure
}

/** The world's journal, without the secrets of keys, and what is kept beside it. */
export function failureFiles(world: FailedWorld, failure: TestFailure, journal: string) {
  const document = { ...failure, requests: world.requests.since(0) }
  return [
    { name: journalName(failure.test), text: journal === '' ? '' : leaveOutSecrets(journal) },
    { name: notesName(journalName(failure.test)), text: `${JSON.stringify(document)}\n` },
  ]
}

/**
 * The lines that a failed test ends with: its seed, the command that opens the console where the test has failed, and the
 * last request that was refused, which may be long: some reporters show no more than the first 300 characters.
 */
export function failureText(world: FailedWorld, failure: TestFailure, journalFile: string): string {
  const refused = world.requests.since(0).findLast(isRefused)
  const lines = [
    `otcsim: ${failure.test}: seed "${failure.seed}", at ${failure.at}`,
    `  to see it: npx --no otcsim show ${journalFile}`,
    ...(refused === undefined ? [] : [`  last refused: ${refusalWords(refused)}`]),
  ]
  return lines.join('\n')
}

/** The file of a test's journal: readable, short, and different for different names. */
export function journalName(test: string): string {
  const words = test
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${words.slice(0, 60)}-${seedOf(test)}.journal`
}

export const notesName = (journal: string): string => `${journal.replace(/\.journal$/, '')}.failure.json`

/** Eight hexadecimal digits of a test's name. */
export function seedOf(name: string): string {
  const hash = new Hash128()
  hash.addText(name)
  return hash.digest().slice(0, 8)
}

/** Null for a text that is no such file. */
export function readFailureNotes(
  text: string,
): { readonly failure: TestFailure; readonly requests: readonly LoggedRequest[] } | null {
  const document = parseJson(text)
  if (!isObject(document)) return null
  const { test, message, world, seed, sequence, at, account, requests } = document
  if (typeof test !== 'string' || typeof message !== 'string' || typeof world !== 'string') return null
  if (typeof seed !== 'string' || typeof sequence !== 'number' || typeof at !== 'string') return null
  if (account !== null && typeof account !== 'string') return null
  if (!Array.isArray(requests) || !requests.every(isLogged)) return null
  return { failure: { test, message, world, seed, sequence, at, account }, requests }
}

function refusalWords(request: LoggedRequest): string {
  const { method, path, query, status, responseBody, account } = request
  const answer = status === 0 ? 'no answer' : `${status} ${refusalReason(responseBody)}`.trimEnd()
  const meaning = requestMeaning(request)
  const target = `${method} ${path.replace(/^\/api\/sdk/, '')}${query}`
  const asked = meaning === target ? target : `${meaning} (${target})`
  return `${asked} by ${account ?? 'nobody'}: ${answer}`
}

const isRefused = ({ status }: LoggedRequest): boolean => status >= 400 || status === 0

function isLogged(value: unknown): value is LoggedRequest {
  if (!isObject(value)) return false
  const texts = ['requestId', 'method', 'path', 'query', 'apiKey', 'requestBody', 'responseBody']
  const numbers = ['sequence', 'atMillis', 'wallMillis', 'durationMillis', 'worldSequence', 'status']
  const nullable = ['account', 'hint', 'fault']
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    numbers.every((name) => typeof value[name] === 'number') &&
    nullable.every((name) => value[name] === null || typeof value[name] === 'string')
  )
}
