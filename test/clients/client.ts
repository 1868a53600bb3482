import type { Venue } from './venue.ts'
import type { Workshop } from './workshop.ts'

/** A stranger's program, and what it has to find the venue good for. */
export interface Client {
  readonly name: string
  /** Programs that have to be on this machine. */
  readonly needs: readonly Program[]
  /** The first version of Python that has it; with an earlier one it is skipped. */
  readonly python?: readonly [major: number, minor: number]
  readonly packages: Packages
  /** What `serve` is told besides the port. */
  readonly serving?: readonly string[]
  readonly bar: string
  readonly run: (venue: Venue, workshop: Workshop) => Promise<Outcome>
}

export type Program = 'python3' | 'go' | 'java' | 'mvn'

/** What is installed, in versions that do not move. */
export interface Packages {
  readonly pip?: readonly string[]
  readonly npm?: readonly string[]
  /** Generators, and what their code needs. */
  readonly goTools?: readonly string[]
  readonly goModules?: readonly string[]
}

/** The bar is met when nothing is missed. */
export interface Outcome {
  readonly figure: string
  /** Set where it was not run, because this machine cannot have it. */
  readonly isSkipped?: true
  readonly misses: readonly string[]
  readonly notes?: readonly string[]
}
