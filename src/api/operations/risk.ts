import type { CheckName } from '../../engine/assessment.ts'
import { type LimitName, limitKinds, limitNames } from '../../engine/limits.ts'
import { oneOfWords } from '../../shape/shape.ts'
import { describe, listOf, mapShape, object, openTo } from '../wire-shapes.ts'
import * as common from './common.ts'
import { operation } from './operation.ts'

/*
 * The resources (Spec: Risk limits to Order simulation), and the bodies, queries and responses of the eight risk
 * operations.
 */

type WireLimit<Unit> = Unit extends 'sizes' | 'values' ? typeof common.numberBySymbol : typeof common.number

/** The limits in the order of the specification, then any others. */
export const limitsOnWire: readonly LimitName[] = [
  ...limitNames.filter((name) => name !== 'minOrderSize'),
  'minOrderSize',
]

const riskLimit = (name: LimitName) => {
  const { unit, wireMeaning } = limitKinds[name]
  return unit === 'sizes' || unit === 'values'
    ? describe(common.numberBySymbol, `${wireMeaning}, by asset symbol, and by default for all others`)
    : describe(common.number, wireMeaning)
}

const riskLimitFields: { readonly [Name in LimitName]: WireLimit<(typeof limitKinds)[Name]['unit']> } =
  Object(Object.fromEntries(limitsOnWire.map((name) => [name, riskLimit(name)])))

export const riskLimits = object(riskLimitFields, [], { description: 'the risk limits of the account' })

export const limits = object({ limits: riskLimits })

const checkResult = {
  passed: describe(common.boolean, 'whether the order passes this check'),
  message: describe(common.text, 'what is compared with what, in words for people'),
} as const
const limit = describe(common.number, 'the limit of the account, as GET /risk/limits shows it')
const sizeCheck = object({ ...checkResult, limit, value: describe(common.number, 'what the order has') })
const afterCheck = object({
  ...checkResult,
  limit,
  currentValue: describe(
    common.number,
    'what counts against the limit before the order, open orders included',
  ),
  afterValue: describe(common.number, 'what would count against it with the order'),
})

export const preTradeCheck = object(
  {
    approved: describe(common.boolean, 'true when every check passed'),
    orderValue: describe(common.number, 'value of the order in USD: price times quantity'),
    checks: describe(
      object({
        orderSize: describe(sizeCheck, 'of the quantity'),
        orderValue: describe(sizeCheck, 'of the value, in USD'),
        exposure: describe(afterCheck, 'of the exposure over all assets, and of the leverage'),
        assetExposure: describe(afterCheck, 'of the exposure in the asset'),
        availableBalance: describe(
          object({
            ...checkResult,
            required: describe(
              common.number,
              'what the order would lock: its cost and the highest fee, or the quantity of a sale',
            ),
            available: describe(common.number, 'what the account has available'),
          }),
          'of what the order would lock',
        ),
        dailyVolume: describe(afterCheck, 'of the volume of the day, in USD'),
      } satisfies { readonly [Name in CheckName]: unknown }),
      'one per limit, and one of the balance',
    ),
    warnings: describe(listOf(common.text), 'checks that nearly fail, in words'),
    rejectionReasons: describe(listOf(common.text), 'present when approved is false: why, in words'),
  },
  ['rejectionReasons'],
)

const assetUseFields = {
  asset: describe(common.text, 'asset symbol'),
  exposure: describe(common.number, 'value in USD at the current price, and of open orders at theirs'),
  exposurePercent: describe(common.percent, 'share of the portfolio'),
  limit,
  utilizationPercent: describe(common.percent, 'share of the limit that is used'),
} as const
export const assetUse = object(assetUseFields)

export const riskExposure = object({
  totalExposure: describe(common.number, 'gross exposure, as it counts against the limit'),
  netExposure: describe(common.number, 'long less short exposure, in USD'),
  grossExposure: describe(common.number, 'long and short exposure together, in USD'),
  longExposure: describe(common.number, 'value in USD of all long positions'),
  shortExposure: describe(common.number, 'value in USD of all short positions, as a positive number'),
  cashBalance: describe(common.number, 'balance of USD, locked amounts included'),
  portfolioValue: describe(common.number, 'cash and positions together, in USD'),
  leverage: describe(common.number, 'exposure over the value of the portfolio'),
  utilizationPercent: describe(common.percent, 'share of the limit that is used'),
  maxExposure: describe(common.number, 'the limit of the account, as GET /risk/limits shows it'),
  availableExposure: describe(common.number, 'what the limit still allows'),
  byAsset: describe(listOf(assetUse), 'one per asset'),
})

export const assetRiskExposure = object({
  ...assetUseFields,
  availableExposure: describe(common.number, 'what the limit still allows'),
  position: describe(
    object({
      quantity: describe(
        common.number,
        'quantity held or owed; its sign for a short position: reading positions.sign',
      ),
      averagePrice: describe(common.number, 'average price of the entry in USD, fees apart'),
      currentPrice: describe(common.number, 'price in USD at which it is valued: the mark price'),
    }),
    'what is held or owed of the asset',
  ),
  openOrders: describe(
    object({
      buyQuantity: describe(common.number, 'quantity of open buy orders'),
      buyValue: describe(common.number, 'value of open buy orders'),
      sellQuantity: describe(common.number, 'quantity of open sell orders'),
      sellValue: describe(common.number, 'value of open sell orders'),
    }),
    'what rests in the book, sides of quotes included',
  ),
})

const used = describe(common.number, 'what is used of the limit')
const usedPercent = describe(common.percent, 'share of the limit that is used')
const use = object({
  used,
  limit,
  available: describe(common.number, 'what the limit still allows'),
  percent: usedPercent,
})
const plainUse = object({ used, limit, percent: usedPercent })

const ofExposure = 'of the limit on exposure, in USD'
const ofOpenOrders = 'of the limit on the number of open orders and quotes'

/** A limit that is breached or nearly reached. Choice: one shape for every list of such limits. */
export const limitUse = object({
  type: describe(common.text, 'which limit, such as exposure or dailyVolume'),
  asset: describe(common.nullableText, 'asset symbol; null for limits of the whole account'),
  utilizationPercent: usedPercent,
  warningThreshold: describe(common.percent, 'share of the limit from which it counts as near'),
  used,
  limit,
})

export const utilization = object({
  utilization: describe(
    object({
      exposure: describe(use, ofExposure),
      dailyVolume: describe(use, 'of the limit on the volume of a day, in USD'),
      openOrders: describe(use, ofOpenOrders),
    }),
    'of the limits of the whole account',
  ),
  byAsset: describe(
    mapShape(
      object({ exposure: describe(plainUse, ofExposure), openOrders: describe(plainUse, ofOpenOrders) }),
    ),
    'by asset symbol',
  ),
  breachedLimits: describe(listOf(limitUse), 'limits that are exceeded'),
})

export const limitingFactor = describe(
  oneOfWords(
    'available_balance',
    'order_size_limit',
    'exposure_limit',
    'asset_exposure_limit',
    'daily_volume_limit',
  ),
  'what keeps the quantity from being larger',
)

const allowedQuantity = describe(common.number, 'quantity that this allows')
const availableExposure = describe(common.number, 'what the limit still allows')

export const maxQuantity = object({
  side: common.side,
  asset: describe(common.text, 'asset symbol'),
  price: describe(common.number, 'price of the order'),
  maxQuantity: describe(
    common.number,
    'largest quantity that would be accepted now, in steps of the trading pair',
  ),
  limitingFactor,
  details: describe(
    object({
      byBalance: describe(
        object({
          quantity: allowedQuantity,
          availableBalance: describe(common.number, 'what the account has available'),
        }),
        'by the balance',
      ),
      byOrderSizeLimit: describe(
        object({ quantity: allowedQuantity, limit }),
        'by the largest quantity of an order',
      ),
      byExposureLimit: describe(
        object({ quantity: allowedQuantity, availableExposure }),
        'by the exposure over all assets',
      ),
      byAssetExposureLimit: describe(
        object({ quantity: allowedQuantity, availableExposure }),
        'by the exposure in the asset',
      ),
    }),
    'what each of them would allow by itself',
  ),
})

export const metrics = object({
  portfolioValue: describe(common.number, 'cash and positions together, in USD'),
  cashBalance: describe(common.number, 'balance of USD, locked amounts included'),
  positionsValue: describe(common.number, 'value of all positions'),
  leverage: describe(common.number, 'gross exposure over the value of the portfolio'),
  concentration: describe(
    object({
      topAsset: describe(common.text, 'symbol of the largest position'),
      topAssetWeight: describe(common.percent, 'its share of the portfolio'),
      herfindahlIndex: describe(common.number, 'sum of the squared shares of all positions'),
    }),
    'how much is in few assets',
  ),
  exposure: describe(
    object({
      net: describe(common.number, 'long less short exposure, in USD'),
      gross: describe(common.number, 'long and short exposure together, in USD'),
      long: describe(common.number, 'value in USD of all long positions'),
      short: describe(common.number, 'value in USD of all short positions, as a positive number'),
    }),
    'value of the positions, in USD',
  ),
  utilization: describe(
    object({
      exposurePercent: usedPercent,
      dailyVolumePercent: usedPercent,
      openOrdersPercent: usedPercent,
    }),
    'of the limits of the whole account',
  ),
  limits: describe(
    object({
      breached: describe(listOf(limitUse), 'limits that are exceeded'),
      nearBreach: describe(listOf(limitUse), 'limits that are nearly reached'),
    }),
    'of the account and of its assets',
  ),
  volatility: describe(
    object({
      portfolio1d: describe(common.percent, 'of the portfolio over a day'),
      portfolio7d: describe(common.percent, 'of the portfolio over a week'),
      varDaily95: describe(common.number, 'loss of a day, in USD, that is exceeded on one day in twenty'),
    }),
    'how much the value of the portfolio moves',
  ),
})

/**
 * The state before or after a simulated order. It also has the position and exposure of the asset, such as
 * `btcPosition` and `btcExposure` (reading `simulate.prefix`).
 */
const simulatedState = openTo(
  common.number,
  object({
    portfolioValue: describe(common.number, 'cash and positions together, in USD'),
    cashBalance: describe(common.number, 'balance of USD, locked amounts included'),
    exposure: describe(common.number, 'gross exposure'),
    leverage: describe(common.number, 'exposure over the value of the portfolio'),
  }),
)

export const simulation = object({
  orderValue: describe(common.number, 'value of the order in USD: price times quantity'),
  currentState: describe(simulatedState, 'the account before the order'),
  afterOrder: describe(simulatedState, 'after the order, filled whole at its price'),
  impact: describe(
    openTo(
      common.number,
      object({
        exposureChange: describe(common.number, 'by which the exposure changes'),
        exposureChangePercent: describe(common.percent, 'exposureChange, relative to the exposure before'),
        leverageChange: describe(common.number, 'by which the leverage changes'),
        cashChange: describe(common.number, 'by which the USD balance changes'),
      }),
    ),
    'the difference',
  ),
  wouldBreach: describe(
    listOf(
      object({
        type: describe(common.text, 'which limit, such as exposure or dailyVolume'),
        message: describe(common.text, 'what is compared with what, in words for people'),
      }),
    ),
    'limits that the order would exceed',
  ),
})

/** The body of the pre-trade check and of the simulation. */
export const candidateBody = object({
  side: common.side,
  asset: common.symbol,
  quantity: describe(common.positiveNumber, 'greater than 0, in steps of the trading pair'),
  price: describe(common.positiveNumber, 'greater than 0, in steps of the trading pair'),
})

export const maxQuantityQuery = object({
  side: common.side,
  asset: common.symbol,
  price: describe(common.positiveNumber, 'greater than 0, in steps of the trading pair'),
})

/* The risk operations (Spec: Endpoints, Risk), by the names of the methods of the client. */
export const risk = {
  limits: operation({
    id: 'getLimits',
    method: 'GET',
    path: '/api/sdk/risk/limits',
    response: limits,
    summary: 'Get risk limits',
  }),
  /** Checks an order. One that fails the checks is not an error: the answer has `approved` false. */
  checkOrder: operation({
    id: 'checkOrder',
    method: 'POST',
    path: '/api/sdk/risk/pre-trade-check',
    scope: 'TRADE',
    body: candidateBody,
    changesNothing: true,
    response: preTradeCheck,
    summary: 'Check an order against the limits',
  }),
  exposure: operation({
    id: 'getRiskExposure',
    method: 'GET',
    path: '/api/sdk/risk/exposure',
    response: riskExposure,
    summary: 'Get risk exposure',
  }),
  assetExposure: operation({
    id: 'getAssetRiskExposure',
    method: 'GET',
    path: '/api/sdk/risk/exposure/:asset',
    response: assetRiskExposure,
    summary: 'Get risk exposure of one asset',
  }),
  utilization: operation({
    id: 'getUtilization',
    method: 'GET',
    path: '/api/sdk/risk/utilization',
    response: utilization,
    summary: 'Get limit utilization',
  }),
  maxQuantity: operation({
    id: 'getMaxQuantity',
    method: 'GET',
    path: '/api/sdk/risk/max-quantity',
    query: maxQuantityQuery,
    response: maxQuantity,
    summary: 'Get maximum order quantity',
  }),
  metrics: operation({
    id: 'getMetrics',
    method: 'GET',
    path: '/api/sdk/risk/metrics',
    response: metrics,
    summary: 'Get risk metrics',
  }),
  /** Returns what an order would do, without placing it. */
  simulateOrder: operation({
    id: 'simulateOrder',
    method: 'POST',
    path: '/api/sdk/risk/simulate',
    body: candidateBody,
    changesNothing: true,
    response: simulation,
    summary: 'Simulate the effect of an order',
  }),
}
