import { shapeTyped } from '../shape/shape.ts'

/** Key-value pairs, already bounded and known to be JSON. */
export type Metadata = { readonly [key: string]: unknown }

export const metadata = shapeTyped<Metadata>({ type: 'object' })

/** Freezes metadata in depth, because the engine keeps this very object and hands it out. */
export function freezeMetadata(metadata: Metadata): Metadata {
  freezeDeep(metadata)
  return metadata
}

function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Object.values(value)) freezeDeep(member)
}
