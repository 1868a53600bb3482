import type { CheckName } from '../../engine/assessment.ts'
import { type LimitName, limitKinds, limitNames } from '../../engine/limits.ts'
import { oneOfWords } from '../../shape/shape.ts'
import { closed, described, listOf, mapOf, openTo } from '../wire-shapes.ts'
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
    ? described(common.numberBySymbol, `${wireMeaning}, by asset symbol, and by default for all others`)
    : described(common.number, wireMeaning)
}

const riskLimitFields: { readonly [Name in LimitName]: WireLimit<(typeof limitKinds)[Name]['unit']> } =
  Object(Object.fromEntries(limitsOnWire.map((name) => [name, riskLimit(name)])))

export const riskLimits = closed(riskLimitFields, [], { description: 'the risk limits of the account' })

export const limits = closed({ limits: riskLimits })

const checkResult = {
  passed: described(common.boolean, 'whether the order passes this check'),
  message: described(common.text, 'the same in words'),
} as const
const limit = described(common.number, 'the limit of the account')
const sizeCheck = closed({ ...checkResult, limit, value: described(common.number, 'what the order has') })
const afterCheck = closed({
  ...checkResult,
  limit,
  currentValue: described(common.number, 'before the order'),
  afterValue: described(common.number, 'with the order'),
})

export const preTradeCheck = closed(
  {
    approved: described(common.boolean, 'true when every check passed'),
    orderValue: described(common.number, 'value of the order'),
    checks: described(
      closed({
        orderSize: described(sizeCheck, 'of the quantity'),
        orderValue: described(sizeCheck, 'of the value, in USD'),
        exposure: described(afterCheck, 'of the exposure over all assets, and of the leverage'),
        assetExposure: described(afterCheck, 'of the exposure in the asset'),
        availableBalance: described(
          closed({
            ...checkResult,
            required: described(common.number, 'what the order takes'),
            available: described(common.number, 'what the account has available'),
          }),
          'of what the order would lock',
        ),
        dailyVolume: described(afterCheck, 'of the volume of the day, in USD'),
      } satisfies { readonly [Name in CheckName]: unknown }),
      'one per limit, and one of the balance',
    ),
    warnings: described(listOf(common.text), 'checks that nearly fail, in words'),
    rejectionReasons: described(listOf(common.text), 'present when approved is false: why, in words'),
  },
  ['rejectionReasons'],
)

const assetUseFields = {
  asset: described(common.text, 'asset symbol'),
  exposure: described(common.number, 'value at the current price, and of open orders'),
  exposurePercent: described(common.percent, 'share of the portfolio'),
  limit,
  utilizationPercent: described(common.percent, 'share of the limit that is used'),
} as const
export const assetUse = closed(assetUseFields)

export const riskExposure = closed({
  totalExposure: described(common.number, 'gross exposure, as it counts against the limit'),
  netExposure: described(common.number, 'long less short exposure'),
  grossExposure: described(common.number, 'long and short exposure together'),
  longExposure: described(common.number, 'value of all long positions'),
  shortExposure: described(common.number, 'value of all short positions'),
  cashBalance: described(common.number, 'USD balance'),
  portfolioValue: described(common.number, 'cash and positions together'),
  leverage: described(common.number, 'exposure over the value of the portfolio'),
  utilizationPercent: described(common.percent, 'share of the limit that is used'),
  maxExposure: described(common.number, 'the limit of the account'),
  availableExposure: described(common.number, 'what the limit still allows'),
  byAsset: described(listOf(assetUse), 'one per asset'),
})

export const assetRiskExposure = closed({
  ...assetUseFields,
  availableExposure: described(common.number, 'what the limit still allows'),
  position: described(
    closed({
      quantity: described(common.number, 'quantity held or owed'),
      averagePrice: described(common.number, 'average price of the entry'),
      currentPrice: described(common.number, 'price at which it is valued'),
    }),
    'what is held or owed of the asset',
  ),
  openOrders: described(
    closed({
      buyQuantity: described(common.number, 'quantity of open buy orders'),
      buyValue: described(common.number, 'value of open buy orders'),
      sellQuantity: described(common.number, 'quantity of open sell orders'),
      sellValue: described(common.number, 'value of open sell orders'),
    }),
    'what rests in the book, sides of quotes included',
  ),
})

const used = described(common.number, 'what is used of the limit')
const usedPercent = described(common.percent, 'share of the limit that is used')
const use = closed({
  used,
  limit,
  available: described(common.number, 'what the limit still allows'),
  percent: usedPercent,
})
export const plainUse = closed({ used, limit, percent: usedPercent })

const ofExposure = 'of the limit on exposure, in USD'
const ofOpenOrders = 'of the limit on the number of open orders and quotes'

/** A limit that is breached or nearly reached. Choice: one shape for every list of such limits. */
export const limitUse = closed({
  type: described(common.text, 'which limit'),
  asset: described(common.nullableText, 'asset symbol; null for limits of the whole account'),
  utilizationPercent: usedPercent,
  warningThreshold: described(common.percent, 'share of the limit from which it counts as near'),
  used,
  limit,
})

export const utilization = closed({
  utilization: described(
    closed({
      exposure: described(use, ofExposure),
      dailyVolume: described(use, 'of the limit on the volume of a day, in USD'),
      openOrders: described(use, ofOpenOrders),
    }),
    'of the limits of the whole account',
  ),
  byAsset: described(
    mapOf(
      closed({ exposure: described(plainUse, ofExposure), openOrders: described(plainUse, ofOpenOrders) }),
    ),
    'by asset symbol',
  ),
  breachedLimits: described(listOf(limitUse), 'limits that are exceeded'),
})

export const limitingFactor = described(
  oneOfWords(
    'available_balance',
    'order_size_limit',
    'exposure_limit',
    'asset_exposure_limit',
    'daily_volume_limit',
  ),
  'what keeps the quantity from being larger',
)

const allowedQuantity = described(common.number, 'quantity that this allows')
const availableExposure = described(common.number, 'what the limit still allows')

export const maxQuantity = closed({
  side: common.side,
  asset: described(common.text, 'asset symbol'),
  price: described(common.number, 'price of the order'),
  maxQuantity: described(common.number, 'largest quantity that would be accepted'),
  limitingFactor,
  details: described(
    closed({
      byBalance: described(
        closed({
          quantity: allowedQuantity,
          availableBalance: described(common.number, 'what the account has available'),
        }),
        'by the balance',
      ),
      byOrderSizeLimit: described(
        closed({ quantity: allowedQuantity, limit }),
        'by the largest quantity of an order',
      ),
      byExposureLimit: described(
        closed({ quantity: allowedQuantity, availableExposure }),
        'by the exposure over all assets',
      ),
      byAssetExposureLimit: described(
        closed({ quantity: allowedQuantity, availableExposure }),
        'by the exposure in the asset',
      ),
    }),
    'what each of them would allow by itself',
  ),
})

export const metrics = closed({
  portfolioValue: described(common.number, 'cash and positions together'),
  cashBalance: described(common.number, 'USD balance'),
  positionsValue: described(common.number, 'value of all positions'),
  leverage: described(common.number, 'gross exposure over the value of the portfolio'),
  concentration: described(
    closed({
      topAsset: described(common.text, 'symbol of the largest position'),
      topAssetWeight: described(common.percent, 'its share of the portfolio'),
      herfindahlIndex: described(common.number, 'sum of the squared shares of all positions'),
    }),
    'how much is in few assets',
  ),
  exposure: described(
    closed({
      net: described(common.number, 'long less short exposure'),
      gross: described(common.number, 'long and short exposure together'),
      long: described(common.number, 'value of all long positions'),
      short: described(common.number, 'value of all short positions'),
    }),
    'value of the positions, in USD',
  ),
  utilization: described(
    closed({
      exposurePercent: usedPercent,
      dailyVolumePercent: usedPercent,
      openOrdersPercent: usedPercent,
    }),
    'of the limits of the whole account',
  ),
  limits: described(
    closed({
      breached: described(listOf(limitUse), 'limits that are exceeded'),
      nearBreach: described(listOf(limitUse), 'limits that are nearly reached'),
    }),
    'of the account and of its assets',
  ),
  volatility: described(
    closed({
      portfolio1d: described(common.percent, 'of the portfolio over a day'),
      portfolio7d: described(common.percent, 'of the portfolio over a week'),
      varDaily95: described(common.number, 'loss of a day, in USD, that is exceeded on one day in twenty'),
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
  closed({
    portfolioValue: described(common.number, 'cash and positions together'),
    cashBalance: described(common.number, 'USD balance'),
    exposure: described(common.number, 'gross exposure'),
    leverage: described(common.number, 'exposure over the value of the portfolio'),
  }),
)

export const simulation = closed({
  orderValue: described(common.number, 'value of the order'),
  currentState: described(simulatedState, 'before the order'),
  afterOrder: described(simulatedState, 'after the order, filled whole at its price'),
  impact: described(
    openTo(
      common.number,
      closed({
        exposureChange: described(common.number, 'by which the exposure changes'),
        exposureChangePercent: described(common.percent, 'the same, relative'),
        leverageChange: described(common.number, 'by which the leverage changes'),
        cashChange: described(common.number, 'by which the USD balance changes'),
      }),
    ),
    'the difference',
  ),
  wouldBreach: described(
    listOf(
      closed({
        type: described(common.text, 'which limit'),
        message: described(common.text, 'the same in words'),
      }),
    ),
    'limits that the order would exceed',
  ),
})

/** The body of the pre-trade check and of the simulation. */
export const candidateBody = closed({
  side: common.side,
  asset: common.symbol,
  quantity: described(common.positiveNumber, 'greater than 0, in steps of the trading pair'),
  price: described(common.positiveNumber, 'greater than 0, in steps of the trading pair'),
})

export const maxQuantityQuery = closed({
  side: common.side,
  asset: common.symbol,
  price: described(common.positiveNumber, 'greater than 0, in steps of the trading pair'),
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
