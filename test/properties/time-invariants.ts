import type { Predicate } from './venue-view.ts'
import { firstBroken } from './venue-view.ts'

/** I53: time never goes back, neither from command to command nor from event to event. */
export const timeNeverGoesBack: Predicate = (step) => {
  if (step.view.now < step.before.now) return `from ${step.before.now} to ${step.view.now}`
  let last = step.before.now
  return firstBroken(step.events, (event) => {
    const isBack = event.at < last
    last = event.at
    return (isBack || event.at > step.view.now) && `${event.name} at ${event.at}`
  })
}

/** I53, second part: a fill is later than its order, and none is in the future. */
export const fillsAreInTime: Predicate = (step) =>
  firstBroken(
    step.view.fills.slice(step.before.fillCount),
    (fill) =>
      (fill.at < step.before.now || fill.at > step.view.now) && `fill of order ${fill.order} at ${fill.at}`,
  )

/**
 * A refused command emits nothing of its own: all its events come from the time that passed before it. Only an order
 * that is stored although refused emits its rejection.
 */
export const refusalsSayNothing: Predicate = (step) => {
  if (step.outcome.ok || step.command.at !== step.before.now) return null
  const isKept = 'keepsRefused' in step.command && step.command.keepsRefused
  const said = step.events.filter((event) => !(isKept && event.name === 'order-rejected'))
  return said.length > 0 ? `${said.length} events of a refused command` : null
}
