/*
 * The bytes of a picture. Everything in it is written here, so that equal figures give equal bytes: coordinates are rounded
 * to one decimal, attributes are sorted by name, and texts are escaped.
 */

/** The attributes of an element. Numbers are coordinates in pixels. */
export type Attributes = Readonly<Record<string, string | number>>

/** Returns `<name a="1" b="2">children</name>` with attributes sorted by name. `children` is markup and is not escaped. */
export function element(name: string, attributes: Attributes, children = ''): string {
  const names = Object.keys(attributes).sort()
  const text = names.map((key) => ` ${key}="${formatAttribute(attributes[key] ?? '')}"`).join('')
  return children === '' ? `<${name}${text}/>` : `<${name}${text}>${children}</${name}>`
}

/** Escapes a text for use as the content of an element or attribute. Characters that XML forbids are left out. */
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

/** Rounds a coordinate to whole tenths of a pixel; 0 if it is not finite, never -0. */
export function toTenths(coordinate: number): number {
  const rounded = Math.round(coordinate * 10)
  return Number.isFinite(rounded) ? rounded + 0 : 0
}

/** Formats tenths of a pixel: `125` as `12.5`, `120` as `12`. */
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
