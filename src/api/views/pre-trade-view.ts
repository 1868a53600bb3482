import { type AfterCheck, type Assessment, checkNames } from '../../engine/assessment.ts'
import { warningThresholdE4 } from '../../engine/reports/limit-utilization.ts'
import { percentE4 } from '../../engine/reports/ratios.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { amountNumber, e8Number, usdNumber } from '../amounts.ts'
import type { ApiContext } from '../context.ts'
import type * as schemas from '../operations/risk.ts'
import { checkTexts } from './check-texts.ts'

export type PreTradeJson = RecordOf<typeof schemas.preTradeCheck>

/** Spec: Pre-trade check result. A warning is given from 80 % of a limit that holds. */
export function preTradeView(context: ApiContext, assessment: Assessment): PreTradeJson {
  const { assets } = context.state
  const { checks } = assessment
  const { asset } = checks.availableBalance
  const texts = checkTexts(assessment, assets.config(asset))
  const failed = checkNames.filter((name) => !checks[name].passed)
  const result = {
    approved: assessment.isApproved,
    orderValue: usdNumber(assessment.orderValueAtoms),
    checks: {
      orderSize: {
        passed: checks.orderSize.passed,
        message: texts.orderSize,
        limit: e8Number(limitOfSize(assessment)),
        value: e8Number(checks.orderSize.value),
      },
      orderValue: {
        passed: checks.orderValue.passed,
        message: texts.orderValue,
        limit: usdNumber(checks.orderValue.limitAtoms),
        value: usdNumber(checks.orderValue.valueAtoms),
      },
      exposure: afterView(checks.exposure, texts.exposure),
      assetExposure: afterView(checks.assetExposure, texts.assetExposure),
      availableBalance: {
        passed: checks.availableBalance.passed,
        message: texts.availableBalance,
        required: amountNumber(assets, asset, checks.availableBalance.requiredAtoms),
        available: amountNumber(assets, asset, checks.availableBalance.availableAtoms),
      },
      dailyVolume: afterView(checks.dailyVolume, texts.dailyVolume),
    },
    warnings: warningsOf(assessment),
  }
  return assessment.isApproved ? result : { ...result, rejectionReasons: failed.map((name) => texts[name]) }
}

/** The minimum where that is what failed. */
function limitOfSize({ checks: { orderSize } }: Assessment): number {
  return orderSize.value < orderSize.minimum ? orderSize.minimum : orderSize.limit
}

function afterView(check: AfterCheck, message: string) {
  return {
    passed: check.passed,
    message,
    limit: usdNumber(check.limitAtoms),
    currentValue: usdNumber(check.currentAtoms),
    afterValue: usdNumber(check.afterAtoms),
  }
}

function warningsOf({ checks }: Assessment): string[] {
  const uses = [
    { name: 'order size', used: checks.orderSize.value, limit: checks.orderSize.maximum },
    { name: 'order value', used: checks.orderValue.valueAtoms, limit: checks.orderValue.limitAtoms },
    { name: 'exposure', used: checks.exposure.afterAtoms, limit: checks.exposure.limitAtoms },
    {
      name: 'exposure in the asset',
      used: checks.assetExposure.afterAtoms,
      limit: checks.assetExposure.limitAtoms,
    },
    { name: 'daily volume', used: checks.dailyVolume.afterAtoms, limit: checks.dailyVolume.limitAtoms },
  ]
  return uses
    .filter(({ used, limit }) => used <= limit && percentE4(used, limit) >= warningThresholdE4)
    .map(({ name }) => `${name} reaches 80 percent of its limit`)
}
