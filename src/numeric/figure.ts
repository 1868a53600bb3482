/**
 * A number that changes on a hot path. A plain field that holds more than 31 bits is a box on the heap, made anew at
 * each assignment; this one is 8 bytes that stay where they are.
 */
export class Figure {
  private readonly value = new Float64Array(1)

  get(): number {
    return this.value[0] as number
  }

  set(value: number): void {
    this.value[0] = value
  }
}
