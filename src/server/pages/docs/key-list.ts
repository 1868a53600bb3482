import { jsonField } from '../../../api/json.ts'
import type { PageKey } from './sign-request.ts'

/** One line of the list of keys. */
export interface KeyChoice {
  readonly label: string
  readonly key: PageKey
}

/** The keys of all worlds, from what the admin API says of them; anything of another shape is left out. */
export function keyChoices(answer: unknown): readonly KeyChoice[] {
  return itemsOf(answer, 'worlds').flatMap((world) =>
    itemsOf(world, 'accounts').flatMap((account) =>
      itemsOf(account, 'keys').map((key) => choiceOf(world, account, key)),
    ),
  )
}

function choiceOf(world: unknown, account: unknown, key: unknown): KeyChoice {
  const name = textField(world, 'id')
  const readings = jsonField(world, 'readings')
  const scopes = itemsOf(key, 'scopes').join(' ')
  const place = name === 'default' ? '' : ` in ${name}`
  return {
    label: `${textField(account, 'id')}${place}: ${scopes}`,
    key: {
      world: name,
      apiKey: textField(key, 'apiKey'),
      apiSecret: textField(key, 'apiSecret'),
      clock: textField(readings, 'auth.clock') === 'world' ? 'world' : 'wall',
      signsQuery: textField(readings, 'signature.query') !== 'exclude',
      hashesSecret: textField(readings, 'signature.key') === 'sha256',
    },
  }
}

export function textField(value: unknown, name: string): string {
  const found = jsonField(value, name)
  return typeof found === 'string' ? found : ''
}

function itemsOf(value: unknown, name: string): readonly unknown[] {
  const found = jsonField(value, name)
  return Array.isArray(found) ? found : []
}
