/*
 * The bytes of a picture. Everything that reaches the text goes through here, so that the same figures give the same
 * bytes: coordinates have one fixed decimal, attributes stand sorted by name, texts are escaped.
 */

export type Attributes = Readonly<Record<string, string | number>>

/** `<name a="1" b="2">children</name>`, attributes sorted by name; children are markup already. */
export function element(name: string, attributes: Attributes, children = ''): string {
  const names = Object.keys(attributes).sort()
  const text = names.map((key) => ` ${key}="${formatAttribute(attributes[key] ?? '')}"`).join('')
  return children === '' ? `<${name}${text}/>` : `<${name}${text}>${children}</${name}>`
}

/** Text as markup's content or attribute. Characters that XML forbids are left out. */
export function escapeText(text: string): string {
  let escaped = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isControl = code < 32 && code !== 9 && code !== 10
    const isOutside = code === 0xfffe || code === 0xffff || (code >= 0xd800 && code <= 0xdfff)
    if (!isControl && !isOutside) escaped += entities.get(character) ?? character
  }
  return escaped
}

export function toTenths(coordinate: number): number {
  const rounded = Math.round(coordinate * 10)
  return Number.isFinite(rounded) ? rounded + 0 : 0
}

/** Tenths of a pixel as text: `125` is `12.5`, `120` is `12`. */
export function formatTenths(value: number): string {
  const sign = value < 0 ? '-' : ''
  const size = Math.abs(value)
  const whole = Math.floor(size / 10)
  const rest = size % 10
  return rest === 0 ? `${sign}${whole}` : `${sign}${whole === 0 ? '' : whole}.${rest}`
}

function formatAttribute(value: string | number): string {
  return typeof value === 'number' ? formatTenths(toTenths(value)) : escapeText(value)
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])
