import { aText, checkOptions, type OptionsOf } from '../api/options.ts'
import { exp, log } from '../numeric/portable-math.ts'
import { createStream, type RandomStream } from '../numeric/random.ts'
import { formatDuration, parseDuration } from '../numeric/time-text.ts'
import { parseDecimal } from '../numeric/units.ts'

/*
 * How long messages travel: whole milliseconds, never negative. Each delay is drawn from a stream named after its own
 * message, so that no other order, read or tick changes it.
 */

const latencyOptions = {
  /** The delay of a request on its way to the venue. */
  order: aText,
  /** The delay of a response on its way back. */
  response: aText,
  /** The delay from the venue's prices and fills to the strategy's hooks. */
  feed: aText,
}

/**
 * The delays of a run: each a span (`5ms`), or a distribution: `uniform(2ms, 8ms)`, `normal(5ms, 1ms)`,
 * `exponential(1ms, 4ms)` or `lognormal(5ms, 0.5)`.
 */
export type LatencyOptions = OptionsOf<typeof latencyOptions>

/** Formats latencies as one text, which `parseLatency` reads. */
export function formatLatency({ feed, order, response }: LatencyOptions): string {
  if (order !== undefined && order === response && order === feed) return order
  const legs = Object.entries({ order, response, feed })
  return legs.flatMap(([leg, text]) => (text === undefined ? [] : [`${leg}=${text}`])).join(',')
}

export interface Delay {
  readonly text: string
  readonly isNone: boolean
  /** Draws the delay of the message with that name, in milliseconds. */
  draw(seed: string, name: string): number
}

export interface Latency {
  readonly order: Delay
  readonly response: Delay
  readonly feed: Delay
}

/**
 * Creates the delays of a run; a missing one is 0. Throws a TypeError for an option that does not exist, and a
 * RangeError that names the option for anything that is not a delay.
 */
export function createLatency(options: LatencyOptions = {}): Latency {
  checkOptions('latency', options, latencyOptions)
  return {
    order: parseDelay('order', options.order),
    response: parseDelay('response', options.response),
    feed: parseDelay('feed', options.feed),
  }
}

/**
 * Parses one delay for all three directions (`5ms`), or one for each: `order=5ms,response=3ms,feed=normal(20ms, 5ms)`.
 * Throws a RangeError for an unknown direction, or one given twice; delays themselves are checked by `createLatency`.
 */
export function parseLatency(text: string): LatencyOptions {
  if (!text.includes('=')) return { order: text, response: text, feed: text }
  const options: { order?: string; response?: string; feed?: string } = {}
  for (const part of text.split(/,(?![^(]*\))/)) {
    const [leg = '', ...rest] = part.split('=')
    const name = leg.trim()
    if (name !== 'order' && name !== 'response' && name !== 'feed') {
      throw new RangeError(`latency: expected order, response or feed, found "${name}"`)
    }
    if (options[name] !== undefined) throw new RangeError(`latency: ${name} is given twice`)
    options[name] = rest.join('=').trim()
  }
  return options
}

export function listDelayTexts({ order, response, feed }: Latency): Required<LatencyOptions> {
  return { order: order.text, response: response.text, feed: feed.text }
}

function parseDelay(leg: string, text = '0ms'): Delay {
  const fixed = parseDuration(text.trim())
  if (fixed !== null) return createFixedDelay(fixed)
  const match = /^(uniform|normal|exponential|lognormal)\(\s*([^,\s]+)\s*,\s*([^,\s]+)\s*\)$/.exec(
    text.trim(),
  )
  const [, kind = '', first = '', second = ''] = match ?? []
  const start = parseDuration(first)
  const spread = kind === 'lognormal' ? parseSigma(second) : parseDuration(second)
  if (match === null || start === null || spread === null) {
    throw new RangeError(
      `latency.${leg}: expected a span such as 5ms, or uniform(2ms, 8ms), normal(5ms, 1ms), exponential(1ms, 4ms), lognormal(5ms, 0.5); found "${text}"`,
    )
  }
  const draw = createDraw(kind, start, spread)
  return {
    text: text.trim(),
    isNone: false,
    draw: (seed, name) => Math.max(0, Math.round(draw(createStream(seed, 'latency', `${leg}/${name}`, 0)))),
  }
}

function createFixedDelay(millis: number): Delay {
  return { text: formatDuration(millis), isNone: millis === 0, draw: () => millis }
}

function parseSigma(text: string): number | null {
  const value = parseDecimal(text) === null ? -1 : Number(text)
  return value >= 0 && value <= 5 ? value : null
}

/**
 * Creates the draw of a distribution. `second` is the upper bound (uniform), the standard deviation (normal), the mean
 * of what is added to `first` (exponential), or the standard deviation of the logarithm (lognormal).
 */
function createDraw(kind: string, first: number, second: number): (stream: RandomStream) => number {
  switch (kind) {
    case 'uniform':
      return (stream) => first + (second - first) * stream.uniform()
    case 'normal':
      return (stream) => first + second * stream.normal()
    case 'exponential':
      return (stream) => first + second * drawExponential(stream)
    default:
      return (stream) => first * exp(second * stream.normal())
  }
}

function drawExponential(stream: RandomStream): number {
  return -log(stream.uniform())
}
