import { exportedTypes, roomOf, type Source } from './source.ts'

/*
 * Words. The last word of an exported type's name says what it is: it is a common word of the list below, in its common
 * sense, or `src/glossary.md` says what it means and in which rooms. So a new word for a thing that has one is seen.
 */

export const glossaryPath = 'src/glossary.md'

/** Plural or not. */
const commonWords: ReadonlySet<string> = new Set(
  `
  Account Aggregate Alert Asset Attribution Balance Band Bar Book Candle Concentration Cost Decimal Drawdown
  Exposure Fill Flow Force Grid Halt Histogram Jump Latency Ledger Level Limit Liquidity Listing Loss Maker Mark
  Market Markout Match Metrics Network Noise Order Pair Position Price Profit Quantity Quote Recovery Rejection
  Return Rounding Sampling Schedule Shortfall Side Skill Spread Statistics Strategy Taker Tick Trade Trading
  Transaction Utilization Venue Volatility Waypoint Weight Window

  Address Admission Checkpoint Chunk Gap Hit Indexer Law Listener Mid Place Reader Spec Delivery Details Evaluator Evidence Label Location Lookup Minutes Replacement
  Segment Story Strictness Subscription Touch Trial Volume

  Abandoned Accepted Access Action Activity Advance Advanced Algorithm Allowance Alternative Amendment Answer
  Answered Answerer Api Argument Arrival Assertion Assessment Assessor Atoms Attribute Available Axis Begun Behaviour
  Body Bound Broken Builder Call Caller Candidate Capture Case Category Chain Change Chart Check Choice Client Clock
  Cluster Code Codec Color Column Command Comparison Condition Config Conflict Connection Content Context Count
  Credential Data Decision Declaration Decode Definition Delay Denial Density Deque Difference Digest Distribution
  Divergence Document Draw Driver Dynamics Element End Endpoint Entry Error Event Exchange Exit Expectation Explanation
  Expression Fact Failure Family Fault Feed Fetch Field Figure File Filter Finder Fixture Flag Format Forward Found
  Frame Grant Guide Handled Handler Hash128 Header History Hook Host Id Ignored Include Incomparable Index Info Input
  Instant Item Journal Json Kernel Key Kind Labelled Layer Layout Library Limiter Line Link List Listening Lock
  Locking Log Made Map Mapping Matrix Message Metadata Method Millis Million Mode Model More Move Name Normal Note Now
  Number Object Observation Observed Observer Of Opened Operation Option Outcome Override Page Paint Panel Param
  Parameter Parsed Part Path Pattern Permalink Picture Plain Plan Point Policy Pool Predicate Preference Preparer
  Problem Process Progress Promise Quantifier Query Queue Reading Record Recorder Recording Recovered Refusal Refused
  Replay Replayed Report Reporting Request Resolved Response Result Ring Role Route Row Rule Run Runner Sample Scalar
  Scale Scanner Scenario Schema Scheme Scope Script Section Sending Series Server Session Setting Setup Shape Shard
  Shot Signed Signer Simulation Sink Size Snapshot Source Space Span Stack Start Stat State Statistics24h Status Step
  Store Stream Style Sum Summary Tab Table Target Task Term Terminal Test Text Time Timed Timeline Timer Token
  Transport Tree Trend Trigger Type Typed Ui Undecodable Unit Until Unwritable Up Update Usage Use Validator Value
  Version View Watch Watcher Weighted Wildcard Writer
`.match(/\S+/g),
)

export interface OwnWord {
  readonly word: string
  readonly rooms: readonly string[]
}

/** The rows of the glossary: `| word | rooms | meaning |`. */
export const ownWords = (glossary: string): readonly OwnWord[] =>
  [...glossary.matchAll(/^\| ([A-Z]\w*) +\| ([a-z, ]+?) +\| \S.*\|$/gm)].map(([, word = '', rooms = '']) => ({
    word,
    rooms: rooms.split(', '),
  }))

/** Words that a room uses and that nobody explains, each with its type; then those of the glossary that no type has. */
export function unknownWords(sources: readonly Source[], own: readonly OwnWord[]): readonly string[] {
  const uses = sources.flatMap((source) =>
    exportedTypes(source).map((name) => ({ word: lastWord(name), room: roomOf(source.path), name })),
  )
  const isOwn = ({ word, rooms }: OwnWord, use: (typeof uses)[number]): boolean =>
    isSame(word, use.word) && rooms.includes(use.room)
  const unknown = uses.filter(
    (use) => !formsOf(use.word).some((form) => commonWords.has(form)) && !own.some((row) => isOwn(row, use)),
  )
  const unused = own.filter((row) => !uses.some((use) => isOwn(row, use)))
  return [
    ...unknown.map(({ word, room, name }) => `${word}: ${room}, ${name}`),
    ...unused.map(({ word }) => `${word}: of no type`),
  ]
}

/** `Book` of `OrderBook`, `API` of `LocalAPI`. */
const lastWord = (name: string): string =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z][a-z0-9]*/g) ?? []).at(-1) ?? name

const formsOf = (word: string): readonly string[] => [
  word,
  word.replace(/s$/, ''),
  word.replace(/es$/, ''),
  word.replace(/ies$/, 'y'),
]

const isSame = (word: string, used: string): boolean =>
  formsOf(used).some((form) => formsOf(word).includes(form))
