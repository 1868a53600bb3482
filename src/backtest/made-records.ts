import type { Records } from '../metrics/records.ts'

/**
 * Records that are made each time they are read, and not kept: a list of hundreds of thousands of orders takes more
 * memory than the venue's own tables. They show the tables as they are at the reading, so a world that they come from
 * must not change between.
 */
export class MadeRecords<Row> implements Records<Row> {
  readonly length: number
  private readonly make: (place: number) => Row

  constructor(length: number, make: (place: number) => Row) {
    this.length = length
    this.make = make
  }

  *[Symbol.iterator](): Generator<Row> {
    for (let place = 0; place < this.length; place += 1) yield this.make(place)
  }
}
