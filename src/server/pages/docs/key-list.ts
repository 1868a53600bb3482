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
  const name = textOf(world, 'id')
  const readings = fieldOf(world, 'readings')
  const scopes = itemsOf(key, 'scopes').join(' ')
  const place = name === 'default' ? '' : ` in ${name}`
  return {
    label: `${textOf(account, 'id')}${place}: ${scopes}`,
    key: {
      world: name,
      apiKey: textOf(key, 'apiKey'),
      apiSecret: textOf(key, 'apiSecret'),
      clock: textOf(readings, 'auth.clock') === 'world' ? 'world' : 'wall',
      signsQuery: textOf(readings, 'signature.query') !== 'exclude',
      hashesSecret: textOf(readings, 'signature.key') === 'sha256',
    },
  }
}

export function textOf(value: unknown, name: string): string {
  const found = fieldOf(value, name)
  return typeof found === 'string' ? found : ''
}

function itemsOf(value: unknown, name: string): readonly unknown[] {
  const found = fieldOf(value, name)
  return Array.isArray(found) ? found : []
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
