import type { readingsTable } from './readings-table.ts'

/*
 * Named sets of readings, each with what speaks for it. `evidence` names the place in which the reading shows; files are
 * those of the package that `source` names.
 */

type Table = typeof readingsTable

interface Preset {
  readonly source: string
  readonly about: string
  readonly readings: {
    readonly [Key in keyof Table]?: {
      readonly value: Table[Key]['default'] | Table[Key]['alternatives'][number]
      readonly evidence: string
    }
  }
}

/** The key of readings under which a preset is named. */
export const presetKey = 'preset'

export const presets = {
  'published-client': {
    source: 'PyPI zenotc 0.2.1',
    about: "The venue's published Python client works unchanged, by base URL, key and secret alone.",
    readings: {
      'signature.key': {
        value: 'sha256',
        evidence: 'utils/http.py, _sign_request: "server stores SHA256(secret) as secretHash"',
      },
      'signature.query': {
        value: 'exclude',
        evidence: 'utils/http.py, request: the headers are made of method, path and body, without params',
      },
      'body.names': {
        value: 'either',
        evidence: 'utils/http.py, _serialize_body: model_dump without by_alias, so order_type and bid_price',
      },
      'body.coerce': {
        value: 'coerce',
        evidence:
          'models/order.py, OrderRequest: a Decimal is written as a string; amend_order sends str(Decimal)',
      },
      'answers.clientFields': {
        value: 'added',
        evidence: 'models/*.py: Field(...) without a default, such as Order.id and Quote.user_id',
      },
      'shapes.position': {
        value: 'full',
        evidence: 'models/portfolio.py, Position: market_value and cost_basis are required',
      },
      envelope: {
        value: 'bare',
        evidence:
          'clients/*.py: model_validate(response), and response.get("orderbooks"), of the body itself',
      },
      'error.typeField': {
        value: 'errorCode',
        evidence: 'utils/http.py, _handle_error_response: data.get("errorCode")',
      },
      'filters.unlisted': {
        value: 'accept',
        evidence: 'clients/execution.py, get_open_orders: pending, open, partially_filled',
      },
      'quotes.query': {
        value: 'either',
        evidence: 'clients/market_making.py, get_quotes: page, limit and statuses',
      },
      'quotes.fills': {
        value: 'present',
        evidence: 'clients/market_making.py, get_quote_fills',
      },
      'depth.maximum': {
        value: '100',
        evidence: 'clients/market_data.py, get_orderbook: min(depth, 100)',
      },
      'limits.form': {
        value: 'list',
        evidence: 'models/risk.py, RiskLimits: limits is a List[RiskLimit]',
      },
      'positions.one': {
        value: 'bare',
        evidence: 'clients/portfolio.py, get_position: Position.model_validate(response)',
      },
      'positions.sign': {
        value: 'signed',
        evidence: 'models/portfolio.py, Position.is_short: quantity < 0',
      },
    },
  },
} as const satisfies { readonly [name: string]: Preset }
