import { type CallOptions, call } from './call.ts'
import type { Link } from './exchange.ts'
import type { BodyOf, QueryOf, ResponseOf } from './operation-types.ts'

export type CandidateOrder = BodyOf<'checkOrder'>
export type MaxQuantityQuery = QueryOf<'getMaxQuantity'>
export type RiskLimits = ResponseOf<'getLimits'>
export type PreTradeCheck = ResponseOf<'checkOrder'>
export type RiskExposure = ResponseOf<'getRiskExposure'>
export type RiskAssetExposure = ResponseOf<'getAssetRiskExposure'>
export type LimitUtilization = ResponseOf<'getUtilization'>
export type MaxQuantity = ResponseOf<'getMaxQuantity'>
export type RiskMetrics = ResponseOf<'getMetrics'>
export type OrderSimulation = ResponseOf<'simulateOrder'>

/** Spec: Endpoints, Risk. */
export interface RiskClient {
  limits(options?: CallOptions): Promise<RiskLimits>
  /** An order that fails the checks is not an error: the answer has `approved` false. */
  checkOrder(order: CandidateOrder, options?: CallOptions): Promise<PreTradeCheck>
  exposure(options?: CallOptions): Promise<RiskExposure>
  assetExposure(asset: string, options?: CallOptions): Promise<RiskAssetExposure>
  utilization(options?: CallOptions): Promise<LimitUtilization>
  maxQuantity(query: MaxQuantityQuery, options?: CallOptions): Promise<MaxQuantity>
  metrics(options?: CallOptions): Promise<RiskMetrics>
  /** What an order would do, without placing it. */
  simulateOrder(order: CandidateOrder, options?: CallOptions): Promise<OrderSimulation>
}

export function riskClient(link: Link): RiskClient {
  return {
    limits: (options) => call(link, 'getLimits', {}, options),
    checkOrder: (order, options) => call(link, 'checkOrder', { body: order }, options),
    exposure: (options) => call(link, 'getRiskExposure', {}, options),
    assetExposure: (asset, options) => call(link, 'getAssetRiskExposure', { parameter: asset }, options),
    utilization: (options) => call(link, 'getUtilization', {}, options),
    maxQuantity: (query, options) => call(link, 'getMaxQuantity', { query }, options),
    metrics: (options) => call(link, 'getMetrics', {}, options),
    simulateOrder: (order, options) => call(link, 'simulateOrder', { body: order }, options),
  }
}
