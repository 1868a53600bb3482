import type { TestFailure } from '../../api/admin-answers.ts'
import type { FailureAnswer } from '../../api/explain/explain-failure.ts'
import { isObject, parseJson } from '../../api/json.ts'
import { answerLosses, isFailedRequest } from '../../api/request-words.ts'
import { leaveOutSecrets } from '../../journal/leave-out-secrets.ts'
import { Hash128 } from '../../numeric/hash.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

/** What is needed of a world to report the test that failed in it. */
export interface FailedWorld {
  readonly id: string
  readonly seed: string
  readonly sequence: number
  readonly now: number
  readonly requests: RequestLog
  digest(): string
  failure: TestFailure | null
}

/** The folder in which test runners save the files of failed tests. */
export const failureFolder = '.otcsim'

const longestMessage = 20_000

/**
 * Records a test's failure in its world, where the console shows it, with what the venue knows of its cause, and returns
 * it.
 */
export function noteFailure(
  world: FailedWorld,
  test: string,
  message: string,
  { sentences, about, account }: FailureAnswer,
): TestFailure {
  const requests = world.requests.since(0)
  const refused = requests.findLast(isFailedRequest)
  const failure = {
    test,
    message: message.slice(0, longestMessage),
    world: world.id,
    seed: world.seed,
    sequence: world.sequence,
    at: millisToIso(world.now),
    account:
      account ?? refused?.account ?? requests.findLast(({ account }) => account !== null)?.account ?? null,
    answer: [...sentences],
    about,
  }
  world.failure = failure
  return failure
}

/**
 * Returns the files of a failed test: the journal without secrets of keys, and the failure with the logged requests.
 * Their names are made of what is in them, so that no failure replaces another one's.
 */
export function makeFailureFiles(world: FailedWorld, failure: TestFailure, journal: string) {
  const requests = world.requests.since(0)
  const text = journal === '' ? '' : leaveOutSecrets(journal)
  const name = journalName(failure, world.digest(), requests)
  const notes = `${JSON.stringify({ ...failure, requests })}\n`
  return [
    { name, text },
    { name: notesName(name), text: notes },
  ] as const
}

/**
 * Returns the lines that a failed test ends with: its seed, what the venue knows of the cause, and the command that opens
 * the console at the failure.
 */
export function failureText(failure: TestFailure, journalFile: string): string {
  return [
    `otcsim: ${failure.test}: seed "${failure.seed}", at ${failure.at}`,
    ...failure.answer.map((sentence) => `  ${sentence}`),
    `  ${howToSee(journalFile)}`,
  ].join('\n')
}

/** Returns the command that opens the console at a failure, in words. */
export const howToSee = (journalFile: string): string => `to see it: npx --no otcsim show ${journalFile}`

/**
 * Returns the file name of a failure's journal: readable, short, and different for different failures. It is the same
 * when a test fails again in the same way: clocks and keys, which differ each time, play no part.
 */
function journalName(failure: TestFailure, digest: string, requests: readonly LoggedRequest[]): string {
  const { test, message, seed, sequence } = failure
  const asked = requests.map(({ method, path, query, account, requestBody, status, responseBody }) =>
    JSON.stringify([method, path, query, account, requestBody, status, responseBody]),
  )
  const content = [test, message, seed, String(sequence), digest, ...asked]
  // The last words of a long name say most: the title of the test.
  const words = test
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(-60)
  return `${words.replace(/^-|-$/g, '')}-${seedOf(content.join('\n'))}.journal`
}

/** Returns the name of the file beside a test's journal that has the failure and the logged requests. */
export const notesName = (journal: string): string => `${journal.replace(/\.journal$/, '')}.failure.json`

/** Derives a seed from a test's name: eight hexadecimal digits. */
export function seedOf(name: string): string {
  const hash = new Hash128()
  hash.addText(name)
  return hash.digest().slice(0, 8)
}

/** Reads the failure and requests that `makeFailureFiles` has written beside a journal; null for any other text. */
export function readFailureNotes(
  text: string,
): { readonly failure: TestFailure; readonly requests: readonly LoggedRequest[] } | null {
  const document = parseJson(text)
  if (!isObject(document)) return null
  const { test, message, world, seed, sequence, at, account, requests } = document
  const told = Array.isArray(document['answer']) ? document['answer'] : []
  const answer = told.filter((sentence) => typeof sentence === 'string')
  const about = readSubject(document['about'])
  if (typeof test !== 'string' || typeof message !== 'string' || typeof world !== 'string') return null
  if (typeof seed !== 'string' || typeof sequence !== 'number' || typeof at !== 'string') return null
  if (account !== null && typeof account !== 'string') return null
  if (!Array.isArray(requests) || !requests.every(isLoggedRequest)) return null
  // Notes of an earlier version do not say what was lost.
  const known = requests.map((request) => ({ ...request, lost: request.lost ?? null }))
  return { failure: { test, message, world, seed, sequence, at, account, answer, about }, requests: known }
}

/** Reads what the failure was about; notes of an earlier version do not say it. */
function readSubject(about: unknown): TestFailure['about'] {
  if (!isObject(about) || typeof about['id'] !== 'string') return null
  const { id, kind } = about
  return kind === 'order' || kind === 'quote' || kind === 'request' ? { kind, id } : null
}

function isLoggedRequest(value: unknown): value is LoggedRequest {
  if (!isObject(value)) return false
  const texts = ['requestId', 'method', 'path', 'query', 'apiKey', 'requestBody', 'responseBody']
  const numbers = ['sequence', 'atMillis', 'wallMillis', 'durationMillis', 'worldSequence', 'status']
  const nullable = ['account', 'hint', 'fault']
  const { lost = null } = value
  return (
    texts.every((name) => typeof value[name] === 'string') &&
    numbers.every((name) => typeof value[name] === 'number') &&
    nullable.every((name) => value[name] === null || typeof value[name] === 'string') &&
    (lost === null || answerLosses.some((known) => known === lost))
  )
}
