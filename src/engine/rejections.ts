import type { Assessment } from './assessment.ts'

/*
 * Why a command was refused: a code and its data, never text (the edge words it). The order below is the order of
 * precedence: a command that is wrong in several ways is refused for the first of them. For a quote, the whole bid side
 * is checked before the ask side, and `quantity-below-filled` before the bounds of the pair. `duplicate-client-id` and
 * `terminal` give way to what is wrong with the request in itself: its prices, quantities and value (design section 8).
 */
export type Rejection =
  | { readonly code: 'backward-time' }
  | { readonly code: 'unknown-account' }
  | { readonly code: 'unknown-asset' }
  | { readonly code: 'unknown-order' }
  | { readonly code: 'unknown-quote' }
  | { readonly code: 'unknown-transfer' }
  | { readonly code: 'account-exists' }
  | {
      readonly code: 'duplicate-client-id'
      readonly field: 'clientOrderId' | 'clientQuoteId'
      readonly row: number
    }
  /** The order, quote or transfer has ended. */
  | { readonly code: 'terminal'; readonly status: number }
  | { readonly code: 'pair-inactive' }
  | { readonly code: 'price-below-minimum'; readonly field: PriceField; readonly minimumTicks: number }
  | { readonly code: 'price-out-of-range'; readonly field: PriceField }
  | { readonly code: 'crossed-quote' }
  | { readonly code: 'empty-quote' }
  | { readonly code: 'quantity-below-minimum'; readonly field: QuantityField; readonly minimumSteps: number }
  | { readonly code: 'quantity-above-maximum'; readonly field: QuantityField; readonly maximumSteps: number }
  | { readonly code: 'quantity-below-filled'; readonly field: QuantityField; readonly filledSteps: number }
  /** The prices, quantities or balances together could not be kept exact. */
  | { readonly code: 'amount-out-of-range' }
  | { readonly code: 'notional-below-minimum'; readonly field: QuantityField; readonly minimumAtoms: number }
  /** The price is that of a recorded book, which nothing but its rows moves. */
  | { readonly code: 'price-is-recorded' }
  /** The model has impossible parameters, or is a recording that the asset does not have. */
  | { readonly code: 'unknown-model' }
  /** The assessment says which of the six checks failed; 422 at the edge. */
  | { readonly code: 'risk'; readonly assessment: Assessment }
  | { readonly code: 'open-orders-limit'; readonly limit: number; readonly asset: number | null }
  /** The withdrawal is of more than is available. */
  | { readonly code: 'insufficient-balance'; readonly availableAtoms: number; readonly requiredAtoms: number }

export type PriceField = 'price' | 'bidPrice' | 'askPrice'
export type QuantityField = 'quantity' | 'bidSize' | 'askSize'

/** The result of a command: the row that it made or changed (-1: none in particular), or why it is refused. */
export type CommandResult = number | Rejection

/** The results of a command with items, one for each; or why the command as a whole is refused. */
export type CommandResults = readonly CommandResult[] | Rejection
