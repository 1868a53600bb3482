/** What became of the orders, quotes and transfers that a script's labels name, and when the labels came. */
export interface NamedRows {
  orderRow(label: string): number | null
  quoteRow(label: string): number | null
  transferRow(label: string): number | null
  /** The name of the last refusal; null when there was none. */
  orderRefusal(label: string): string | null
  quoteRefusal(label: string): string | null
  /** The client id in the request that the fault with this label struck. */
  clientOrderOf(label: string): readonly [account: string, clientOrderId: string] | null
  /** When the timeline's entry with this id first acted; null until then. */
  instantOf(label: string): number | null
}
