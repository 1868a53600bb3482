import { type CallOptions, call } from './call.ts'
import type { Link } from './exchange.ts'
import type { BodyOf, ItemOf, QueryOf, ResponseOf } from './operation-types.ts'
import { checkFilter } from './orders-client.ts'

export type NewQuote = BodyOf<'submitQuote'>
export type QuoteUpdate = BodyOf<'updateQuote'>
export type BulkQuoteUpdate = ItemOf<'updateQuotes'>
export type QuoteFilter = BodyOf<'cancelQuotes'>
/** Of the specification; the others are reading `quotes.query`. */
export type QuoteQuery = Omit<QueryOf<'listQuotes'>, 'page' | 'statuses'>
export type Quote = ResponseOf<'getQuote'>
export type QuoteList = ResponseOf<'listQuotes'>
export type CancelledQuote = ResponseOf<'cancelQuote'>
export type CancelledQuotes = ResponseOf<'cancelQuotes'>
export type BulkQuoteResult = ResponseOf<'updateQuotes'>

/** Spec: Endpoints, Quotes. */
export interface QuotesClient {
  submit(quote: NewQuote, options?: CallOptions): Promise<Quote>
  list(query?: QuoteQuery, options?: CallOptions): Promise<QuoteList>
  get(quoteId: string, options?: CallOptions): Promise<Quote>
  update(quoteId: string, update: QuoteUpdate, options?: CallOptions): Promise<Quote>
  cancel(quoteId: string, options?: CallOptions): Promise<CancelledQuote>
  /** All live quotes unless there is a filter. A filter with an undefined field is refused: it would cancel all. */
  cancelAll(filter?: QuoteFilter, options?: CallOptions): Promise<CancelledQuotes>
  /** Each may fail on its own; see `results`. */
  updateBatch(updates: readonly BulkQuoteUpdate[], options?: CallOptions): Promise<BulkQuoteResult>
}

export function quotesClient(link: Link): QuotesClient {
  return {
    submit: (quote, options) => call(link, 'submitQuote', { body: quote }, options),
    list: (query, options) => call(link, 'listQuotes', { query }, options),
    get: (quoteId, options) => call(link, 'getQuote', { parameter: quoteId }, options),
    update: (quoteId, update, options) =>
      call(link, 'updateQuote', { parameter: quoteId, body: update }, options),
    cancel: (quoteId, options) => call(link, 'cancelQuote', { parameter: quoteId }, options),
    cancelAll: async (filter, options) => call(link, 'cancelQuotes', { body: checkFilter(filter) }, options),
    updateBatch: (updates, options) => call(link, 'updateQuotes', { body: updates }, options),
  }
}
