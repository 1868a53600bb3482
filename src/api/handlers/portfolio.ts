import { cash } from '../../engine/codes.ts'
import { assetWeight } from '../../engine/reports/portfolio-exposure.ts'
import { positionOf, positionsOf } from '../../engine/reports/position-figures.ts'
import { knownAsset } from '../assets.ts'
import { type AnswerTo, type ApiContext, answer, type InputOf, refuse } from '../context.ts'
import {
  assetExposureView,
  availableView,
  balanceView,
  exposureView,
  positionView,
  profitAndLossView,
  summaryView,
} from '../views/portfolio-view.ts'
import { assetRiskExposureView } from '../views/risk-view.ts'
import { filterAssets, symbolsOf } from './asset-filter.ts'

/** Spec: portfolio/balances. Choice: every asset of the venue, USD first, including those with a balance of 0. */
export function listBalances(context: ApiContext, input: InputOf<'listBalances'>): AnswerTo<'listBalances'> {
  const filter = filterAssets(context, input.query.assets, knownAsset)
  if (!filter.ok) return filter
  const all = Array.from({ length: context.state.assets.count }, (_, asset) => asset)
  return answer({ balances: (filter.assets ?? all).map((asset) => balanceView(context, asset)) })
}

/** Spec: portfolio/balances/:asset. Errors: 404 for an unknown asset; a known one may be 0. */
export function getBalance(context: ApiContext, input: InputOf<'getBalance'>): AnswerTo<'getBalance'> {
  const asset = knownAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(balanceView(context, asset))
}

/** Spec: portfolio/positions. Cash is not a position. */
export function listPositions(
  context: ApiContext,
  input: InputOf<'listPositions'>,
): AnswerTo<'listPositions'> {
  const filter = filterAssets(context, symbolsOf(input.query.asset), knownAsset)
  if (!filter.ok) return filter
  const positions = positionsOf(context.state, context.account).filter(
    ({ asset }) => filter.assets === null || filter.assets.includes(asset),
  )
  return answer({ positions: positions.map((figures) => positionView(context, figures)) })
}

/** Spec: portfolio/positions/:asset. Errors: 404 for an unknown asset, and without a position. */
export function getPosition(context: ApiContext, input: InputOf<'getPosition'>): AnswerTo<'getPosition'> {
  const asset = knownAsset(context.state.assets, input.parameter)
  if (asset === null) return refuse({ code: 'unknown-asset' })
  const figures = asset === cash ? null : positionOf(context.state, context.account, asset)
  return figures === null ? refuse({ code: 'unknown-position' }) : answer(positionView(context, figures))
}

/** Spec: portfolio/exposure. */
export function getExposure(context: ApiContext): AnswerTo<'getExposure'> {
  return answer(exposureView(context))
}

/** Spec: portfolio/exposure/:asset. Zeros without a position; the body is reading `exposure.one`. Errors: 404. */
export function getAssetExposure(
  context: ApiContext,
  input: InputOf<'getAssetExposure'>,
): AnswerTo<'getAssetExposure'> {
  const asset = knownAsset(context.state.assets, input.parameter)
  if (asset === null) return refuse({ code: 'unknown-asset' })
  if (context.readings['exposure.one'] === 'entry')
    return answer(assetExposureView(context, assetWeight(context.state, context.account, asset)))
  return asset === cash ? refuse({ code: 'unknown-asset' }) : answer(assetRiskExposureView(context, asset))
}

/** Spec: portfolio/summary. */
export function getSummary(context: ApiContext): AnswerTo<'getSummary'> {
  return answer(summaryView(context))
}

/** Spec: portfolio/pnl. */
export function getProfitAndLoss(
  context: ApiContext,
  input: InputOf<'getProfitAndLoss'>,
): AnswerTo<'getProfitAndLoss'> {
  return answer(profitAndLossView(context, input.query.period))
}

/** Spec: portfolio/available/:asset. Errors: 404. */
export function getAvailable(context: ApiContext, input: InputOf<'getAvailable'>): AnswerTo<'getAvailable'> {
  const asset = knownAsset(context.state.assets, input.parameter)
  return asset === null ? refuse({ code: 'unknown-asset' }) : answer(availableView(context, asset))
}
