import { timeInForceNames } from '../../engine/codes.ts'
import { kinds } from '../agents/agent-kinds.ts'
import { agentKinds } from '../agents/agent-spec.ts'
import { isRequired, parametersSchema } from '../agents/parameters.ts'
import type { Schema } from '../read/schema-type.ts'
import { duration, positiveAmount, priceTerm, symbol, word } from '../read/schema-words.ts'

const steps: Schema = {
  type: 'array',
  minItems: 1,
  maxItems: 1_000,
  description: 'Its steps in order: orders, and cancellations of all its orders in the asset.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['after'],
    properties: {
      after: { ...duration, description: 'Time after the previous step, or after the start.' },
      side: { enum: ['buy', 'sell'] },
      quantity: positiveAmount,
      price: { ...priceTerm, description: 'The limit price; without one it is a market order.' },
      timeInForce: { enum: timeInForceNames },
      cancel: { const: true, description: 'Cancels everything instead of ordering.' },
    },
  },
}

/** The schema of top-level `agents`. */
export const agentsSchema: Schema = {
  type: 'array',
  maxItems: 200,
  description: 'Participants that act by themselves while the scenario runs, through accounts of the file.',
  items: {
    oneOf: agentKinds.map((kind): Schema => {
      const { description, parameters } = kinds[kind]
      const needsParams = Object.values(parameters).some(isRequired)
      return {
        type: 'object',
        additionalProperties: false,
        description,
        required: [
          ...['kind', 'id', 'account', 'asset'],
          ...(needsParams ? ['params'] : []),
          ...(kind === 'script' ? ['steps'] : []),
        ],
        properties: {
          kind: { const: kind },
          id: { ...word, description: 'Names it in the timeline, and its random streams.' },
          account: { ...word, description: 'The account through which it acts.' },
          asset: symbol,
          starts: {
            title: 'an offset such as +5m, an instant, or "never"',
            type: 'string',
            minLength: 1,
            maxLength: 40,
            description: 'When it begins; by default at once. With never, when the timeline starts it.',
          },
          params: parametersSchema(parameters),
          ...(kind === 'script' ? { steps } : {}),
        },
      }
    }),
  },
}
