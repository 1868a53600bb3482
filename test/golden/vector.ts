import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'

/*
 * A golden vector: a world, its commands, and the digest after each of them. The file is read on engines that know
 * nothing of the generators, so it holds plain data, and generators may change without touching it.
 */
export interface GoldenVector {
  readonly name: string
  readonly config: VenueConfig
  readonly commands: readonly Command[]
  /** 32 hexadecimal digits after each command. */
  readonly digests: readonly string[]
  /** Hash of all events, one line per event. */
  readonly events: string
}

/** One vector per line; maps are written as {"map": entries}. */
export function writeVectors(vectors: readonly GoldenVector[]): string {
  return `[\n${vectors.map((vector) => JSON.stringify(vector, plainMaps)).join(',\n')}\n]\n`
}

export function readVectors(text: string): readonly GoldenVector[] {
  const vectors: readonly GoldenVector[] = JSON.parse(text, realMaps)
  return vectors
}

function plainMaps(_key: string, value: unknown): unknown {
  return value instanceof Map ? { map: [...value] } : value
}

function realMaps(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('map' in value)) return value
  return Array.isArray(value.map) ? new Map<unknown, unknown>(value.map) : value
}
