import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { programPath } from '../support/program-path.ts'
import { repositoryRoot } from './source.ts'

/*
 * The subject of a commit is `room: what it does`: imperative, at most 72 characters. Those since this file was added are
 * checked; a clone without its whole history has fewer.
 */

const longest = 72
/** What comes first when a subject tells a story instead of an instruction: "adds", "added", "adding". */
const noImperative =
  /^(?:adds|makes|fixes|removes|moves|uses|says|gives|takes|lets|sets|gets|has|is|are|a|an|the)$|(?:[^e]ed|ing)$/
const imperatives: ReadonlySet<string> = new Set(['bring', 'string', 'ping', 'shed', 'embed'])

function mistakeInSubject(subject: string): string | null {
  if (subject.length > longest) return `${subject.length} characters, and ${longest} are the most`
  const [, rest] = /^[a-z][a-z0-9/-]*(?:, [a-z][a-z0-9/-]*)*: (.+)$/.exec(subject) ?? []
  if (rest === undefined) return 'no "room: " before what it does'
  const [first = ''] = rest.split(' ')
  if (!/^[a-z]/.test(first)) return 'begins with a capital letter'
  return noImperative.test(first) && !imperatives.has(first) ? `"${first}" is no imperative` : null
}

function subjectsSinceTheRule(): readonly string[] {
  const git = (...words: string[]): readonly string[] =>
    execFileSync(programPath('git'), words, { cwd: repositoryRoot, encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
  const path = 'test/tidy/commit-subjects.test.ts'
  const added = git('log', '--diff-filter=A', '--format=%H', '--', path).at(-1)
  const range = added === undefined ? [] : [`${added}..HEAD`]
  return added === undefined ? [] : git('log', '--no-merges', '--format=%s', ...range)
}

it('subjects say the room and what the commit does', { tags: ['git'] }, () => {
  const mistakes = subjectsSinceTheRule().flatMap((subject) => {
    const mistake = mistakeInSubject(subject)
    return mistake === null ? [] : [`${subject}: ${mistake}`]
  })
  expect(mistakes).toEqual([])
})

describe('the rule on subjects', () => {
  it.each([
    'engine: match at the level of the maker',
    'test/tidy: check subjects',
    'metrics, world: bring the table along',
  ])('passes %j', (subject) => {
    expect(mistakeInSubject(subject)).toBeNull()
  })

  it.each([
    ['A digest moves the hashes', 'no "room: " before what it does'],
    ['engine: matched at the level', '"matched" is no imperative'],
    ['engine: matching at the level', '"matching" is no imperative'],
    ['engine: Match at the level', 'begins with a capital letter'],
    [`engine: ${'match '.repeat(12)}`.trim(), '79 characters, and 72 are the most'],
  ])('refuses %j', (subject, mistake) => {
    expect(mistakeInSubject(subject)).toBe(mistake)
  })
})
