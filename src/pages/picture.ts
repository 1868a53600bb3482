import { element, escapeText } from './svg-text.ts'

/** What a picture is called, and what it shows in words. */
interface Named {
  readonly id: string
  readonly title: string
  readonly description: string
}

/** In pixels, unless a chart says otherwise. */
export const pictureWidth = 860

/** The `<svg>` element around what has been drawn. */
export function picture(
  { id, title, description }: Named,
  width: number,
  height: number,
  drawn: string,
): string {
  const attributes = {
    'aria-labelledby': `${id}-title ${id}-description`,
    class: 'chart',
    height,
    role: 'img',
    viewBox: `0 0 ${width} ${height}`,
    width,
    xmlns: 'http://www.w3.org/2000/svg',
  }
  const names =
    element('title', { id: `${id}-title` }, escapeText(title)) +
    element('desc', { id: `${id}-description` }, escapeText(description))
  return element('svg', attributes, names + drawn)
}
