import type { Shape } from '../../shape/shape.ts'
import { actionNames, actionSchemas } from '../actions/actions.ts'
import { duration, moment, positiveDuration, predicate, refused, word } from '../file/schema-words.ts'

/* `timeline` and `expect`: what happens when, and what must then hold. */

const record = (
  required: readonly string[],
  properties: { readonly [name: string]: Shape },
  description?: string,
): Shape => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

const oneOfKeys = (names: readonly string[]): Shape => ({
  oneOf: names.map((name) => ({ required: [name] })),
})

export const triggerNames = ['at', 'every', 'when']

const ifReached: Shape = {
  type: 'boolean',
  description:
    'An entry after the end of the clock is left out instead of being a mistake. All entries of included files are treated like this.',
}

const inEvery = refused('belongs in "every", as in {each: 1m, from: news, to: news+5m}')

export const timelineEntry: Shape = {
  ...record([], {
    at: { ...moment, description: 'When it happens.' },
    every: {
      title: 'a duration, or a mapping {each, from, to}',
      description: 'The action repeats.',
      oneOf: [
        positiveDuration,
        record(['each'], {
          each: { ...positiveDuration, description: 'Time between two repetitions.' },
          from: { ...moment, description: 'The first instant; by default the start.' },
          to: { ...moment, description: 'The last instant at which it may act; the end by default.' },
        }),
      ],
    },
    when: {
      ...predicate,
      description:
        'When this predicate becomes true. It is evaluated at every grid instant and whenever the timeline acts.',
    },
    once: {
      type: 'boolean',
      description:
        'With `when`: the first time only (true unless given), or every time that it becomes true.',
    },
    id: {
      ...word,
      description: 'Label of the instant at which it first acts: other entries may say `at: id+10s`.',
    },
    from: inEvery,
    to: inEvery,
    until: inEvery,
    batch: refused('is not needed: entries of one instant act in the order of the file'),
    ifReached,
    ...actionSchemas,
  }),
  allOf: [oneOfKeys(triggerNames), oneOfKeys(actionNames)],
}

const temporal: { readonly [name: string]: Shape } = {
  at: { ...moment, description: 'Holds at that moment.' },
  by: { ...moment, description: 'Has held at some moment up to then.' },
  within: {
    title: 'a pair [moment, duration], such as [news, 2s]',
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: [moment, duration],
    description: 'Has held at some moment of that span.',
  },
  always: { ...predicate, description: 'Holds at every moment.' },
  never: { ...predicate, description: 'Holds at no moment.' },
  eventually: { ...predicate, description: 'Holds at some moment, up to `by` or the end.' },
  leadsTo: record(
    ['from', 'to'],
    {
      from: predicate,
      to: predicate,
      within: { ...duration, description: 'How much later at most; to the end by default.' },
    },
    'Whenever `from` holds, `to` holds then or within the span.',
  ),
  journalDigest: {
    title: 'a digest of 32 hexadecimal digits, or "?" for `run --update` to fill in',
    type: 'string',
    pattern: '^([0-9a-f]{32}|\\?)$',
    description: 'The digest with which the run must end: nothing in it may change, to the last byte.',
  },
}

export const expectation: Shape = {
  ...record([], {
    ...temporal,
    that: { ...predicate, description: 'What must hold; with `at`, `by` and `within`.' },
    message: { type: 'string', maxLength: 500, description: 'Why it matters; shown in the report.' },
    tol: {
      type: 'number',
      minimum: 0,
      maximum: 1e15,
      description: 'By how much numbers may differ in every comparison of `that`.',
    },
    ifReached,
    recorded: {
      type: 'boolean',
      description: 'The values after `eq` are records of a run: `run --update` writes those of the next one.',
    },
    aggregate: record(
      ['over', 'stat'],
      {
        over: { const: 'seed', description: 'The runs of the matrix.' },
        stat: {
          enum: ['median', 'mean', 'min', 'max', 'p5', 'p25', 'p75', 'p95'],
          description: 'How the values of all runs become one.',
        },
      },
      'Judges one number over all runs of a matrix in place of each run by itself.',
    ),
  }),
  allOf: [{ oneOf: expectationKinds() }],
}

/** `by` without `eventually` is the instant; with it, the deadline. */
function expectationKinds(): readonly Shape[] {
  const kinds = ['at', 'by', 'within', 'always', 'never', 'eventually', 'leadsTo', 'journalDigest']
  return kinds.map((name) =>
    name === 'by' ? { required: [name], not: { required: ['eventually'] } } : { required: [name] },
  )
}
