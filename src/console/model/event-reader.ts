/** One server-sent event. */
export interface StreamEvent {
  /** The last one seen, to resume from; '' before the first. */
  readonly id: string
  readonly type: string
}

/** Takes pieces of an event stream as they come, and answers the events that are complete. */
export function eventReader(): (piece: string) => readonly StreamEvent[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const type = field('event')
      return type === undefined ? [] : [{ id: field('id') ?? '', type }]
    })
  }
}
