/** Point that a path passes through. */
export interface Waypoint {
  /** Milliseconds after the path's first instant. */
  readonly offsetMillis: number
  /** Price in USD per unit. */
  readonly price: number
}

/**
 * Path on which the price follows waypoints between two grid indices, and is the model's price times
 * `ratioAfter` from then on.
 */
export interface ScriptedPath {
  readonly kind: 'path'
  /** Id that names the noise: two paths of one asset with the same id have the same noise. */
  readonly id: number
  readonly fromIndex: number
  readonly endIndex: number
  /** First instant of the path, milliseconds after the market's start. */
  readonly startOffsetMillis: number
  /** Points of the path, the first at offset 0; offsets never fall. */
  readonly points: readonly Waypoint[]
  readonly noiseVol: number
  readonly ratioAfter: number
}
