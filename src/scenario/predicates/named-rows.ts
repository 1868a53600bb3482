/** What became of the orders, quotes and transfers that a script's labels name, and when its labels were. */
export interface NamedRows {
  orderRow(label: string): number | null
  quoteRow(label: string): number | null
  transferRow(label: string): number | null
  /** What the last refusal was called; null when there was none. */
  orderRefusal(label: string): string | null
  quoteRefusal(label: string): string | null
  /** The client id of the order that the request asked for which the fault of that label met. */
  clientOrderOf(label: string): readonly [account: string, clientOrderId: string] | null
  /** When the timeline's entry of that id first acted; null while it has not. */
  instantOf(label: string): number | null
}
