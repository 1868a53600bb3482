import { scopes } from '../../api/routes/route.ts'
import type { Schema } from '../file/schema-words.ts'
import { predicate } from '../file/schema-words.ts'
import { account, inForce, label, lasts, record } from './schema-action-parts.ts'
import { faultAction } from './schema-fault.ts'

/* Actions on the world around the venue: keys, faults, limits, clocks, snapshots, clients. */

const key: Schema = { type: 'string', minLength: 1, maxLength: 128, description: 'An API key by its name.' }

const keyScopes: Schema = {
  type: 'array',
  maxItems: 4,
  items: { enum: scopes },
  description: 'What the key may do from now on.',
}

export const worldActions = {
  key: record(
    [],
    {
      key,
      account: { ...account, description: 'All keys of this account.' },
      revoke: { type: 'boolean', description: 'Whether it is refused from now on.' },
      scopes: keyScopes,
      for: inForce('How long, after which the earlier state is restored.'),
    },
    'Revokes API keys, or changes what they may do.',
  ),
  rateLimit: record(
    ['perS'],
    {
      category: { enum: ['marketData', 'other', 'all'], description: 'Which requests; all by default.' },
      perS: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Requests a second and key.' },
      for: inForce('How long, after which the earlier state is restored.'),
    },
    'Changes the rate limits.',
  ),
  fault: faultAction,
  clock: record(
    ['skew'],
    {
      skew: {
        title: 'a duration with its sign, such as -31s',
        type: 'string',
        pattern: '^[+-]?([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+$',
        description: "What the venue's clock for signed timestamps is ahead of the true one.",
        examples: ['-31s', '+5s'],
      },
      for: inForce('How long; then the clock is right again.'),
    },
    'Sets the clock against which signed timestamps are checked.',
  ),
  snapshot: record(['name'], { name: label('What it is called.') }, 'Takes a snapshot of the world.'),
  note: {
    type: 'string',
    maxLength: 1000,
    description: 'A text in the list of events, without any effect.',
  },
  await: record(
    [],
    {
      request: {
        ...record(
          [],
          {
            method: { enum: ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'], description: 'Its method.' },
            path: {
              type: 'string',
              title: 'a path that begins with "/"',
              pattern: '^/',
              maxLength: 500,
              description: 'Its path; "*" matches any text.',
            },
            key,
            account,
            status: { type: 'integer', minimum: 100, maximum: 599, description: "Its answer's status." },
          },
          "A request of a client (or an agent's command that stands for one) that matches everything given.",
        ),
        minProperties: 1,
      },
      that: predicate,
      bind: label('A label for the order or quote that the request made.'),
      timeout: lasts('How long, in the time of the world; as long as the run goes by default.'),
      wallTimeout: lasts(
        'How long in real time, in a run with a client (`otcsim run --client`); a minute by default. It has no effect without a client.',
      ),
      required: {
        type: 'boolean',
        description: 'Whether a run in which it never came has failed; true by default.',
      },
    },
    'Waits for a client. Entries at this one\'s id, such as "id+5s", are timed from what was awaited.',
  ),
} satisfies { readonly [name: string]: Schema }
