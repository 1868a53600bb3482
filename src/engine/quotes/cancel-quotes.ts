import { isLiveQuote, quoteCancelled, quoteRow } from '../codes.ts'
import type { CancelQuoteCommand, CancelQuotesCommand } from '../command.ts'
import { endQuote } from '../orders/transitions.ts'
import type { CommandResult, CommandResults } from '../rejections.ts'
import { checkAccount, checkAsset, checkQuote } from '../risk/admission.ts'
import type { State } from '../state.ts'
import { listLiveQuotes } from '../tables/account-table.ts'

/**
 * Cancels a live quote; its fills stay. Spec: Quotes / Cancel quote. Errors: unknown-account, unknown-quote,
 * terminal.
 */
export function cancelQuote(state: State, command: CancelQuoteCommand): CommandResult {
  const unknown = checkAccount(state, command.account) ?? checkQuote(state, command.account, command.quote)
  if (unknown !== null) return unknown
  const status = state.quotes.status.get(command.quote)
  if (!isLiveQuote(status)) return { code: 'terminal', status }
  endQuote(state, quoteRow(command.quote), quoteCancelled)
  return command.quote
}

/**
 * Cancels the live quotes of an account, in creation order. Returns an item for each. Spec: Quotes / Cancel all
 * quotes. Errors: unknown-account, unknown-asset.
 */
export function cancelQuotes(state: State, command: CancelQuotesCommand): CommandResults {
  const { quotes } = state
  const unknown =
    checkAccount(state, command.account) ?? (command.asset === null ? null : checkAsset(state, command.asset))
  if (unknown !== null) return unknown
  const items: CommandResult[] = []
  for (const quote of listLiveQuotes(state, command.account)) {
    if (command.asset === null || quotes.asset.get(quote) === command.asset) {
      endQuote(state, quoteRow(quote), quoteCancelled)
      items.push(quote)
    }
  }
  return items
}
