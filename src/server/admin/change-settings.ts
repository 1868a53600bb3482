import { settingRejection } from '../../engine/accounts/settings.ts'
import type { Setting } from '../../engine/command.ts'
import type { Rejection } from '../../engine/rejections.ts'
import type { World } from '../../world/world.ts'

/**
 * Makes all settings of one request in one line of the journal. Answers why one of them cannot be made; then nothing has
 * changed.
 */
export function changeSettings(world: World, settings: readonly Setting[]): Rejection | null {
  const [first, ...others] = settings
  if (first === undefined) return null
  if (others.length > 0) return changeSettings(world, settings)
  // A command of its own, as in all earlier journals.
  const rejection = settingRejection(world.venue.state, first)
  if (rejection === null) world.execute({ ...first, at: world.now })
  return rejection
}
