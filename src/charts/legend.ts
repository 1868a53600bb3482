import type { Color, Layer, MarkersLayer, Panel } from './chart.ts'

/** One entry above a panel: its title, or the name of a layer with a sample of it. */
export interface Key {
  readonly isTitle: boolean
  readonly text: string
  readonly left: number
  readonly textLeft: number
  readonly row: number
  readonly color: Color
  readonly swatch: 'line' | 'band' | 'bar' | 'span' | MarkersLayer['shape']
  readonly isDashed: boolean
}

/** The title and the names of the layers side by side, in as many rows as they need. */
export function legend(
  panel: Panel,
  left: number,
  right: number,
): { readonly keys: readonly Key[]; readonly rows: number } {
  const keys: Key[] = []
  let at = left
  let row = 0
  const put = (
    text: string,
    sampleWidth: number,
    rest: Pick<Key, 'isTitle' | 'color' | 'swatch' | 'isDashed'>,
  ) => {
    const width = sampleWidth + text.length * characterWidth + 16
    if (at + width > right && at > left) {
      at = left
      row += 1
    }
    keys.push({ ...rest, text, left: Math.round(at), textLeft: Math.round(at + sampleWidth), row })
    at += width
  }
  if (panel.title !== '') put(panel.title, 0, { isTitle: true, color: 0, swatch: 'line', isDashed: false })
  for (const layer of panel.layers) {
    if (layer.label === undefined) continue
    put(layer.label, 21, {
      isTitle: false,
      color: layer.color,
      swatch: swatchOf(layer),
      isDashed: layer.kind === 'rule' || ('isDashed' in layer && layer.isDashed === true),
    })
  }
  return { keys, rows: keys.length === 0 ? 0 : row + 1 }
}

function swatchOf(layer: Layer): Key['swatch'] {
  switch (layer.kind) {
    case 'band':
      return 'band'
    case 'bars':
      return 'bar'
    case 'span':
      return 'span'
    case 'markers':
      return layer.shape
    default:
      return 'line'
  }
}

const characterWidth = 6.7
