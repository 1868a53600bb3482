export interface Waypoint {
  /** After the path's first instant. */
  readonly offsetMillis: number
  /** USD a unit. */
  readonly price: number
}

/** The price follows waypoints from one grid index to another, then is the model's times `ratioAfter`. */
export interface ScriptedPath {
  readonly kind: 'path'
  /** Names the noise: two paths of one asset with the same id have the same noise. */
  readonly id: number
  readonly fromIndex: number
  readonly endIndex: number
  /** Milliseconds after the market's start of the path's first instant. */
  readonly startOffsetMillis: number
  /** The first at offset 0, USD; offsets after the path's first instant, never falling. */
  readonly points: readonly Waypoint[]
  readonly noiseVol: number
  readonly ratioAfter: number
}
