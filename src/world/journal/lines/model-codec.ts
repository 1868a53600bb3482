import type { HawkesJumps, Regime, SwitchModel } from '../../../market/market-spec.ts'
import {
  type Codec,
  choice,
  finite,
  isNameIn,
  listOf,
  natural,
  oneOf,
  recordOf,
  Undecodable,
} from './codec.ts'

/** The model that a price is switched to. The engine refuses figures that make no sense. */
export const modelCodec: Codec<SwitchModel> = choice<SwitchModel>(({ kind }, path) => {
  if (!isNameIn(byKind, kind)) throw new Undecodable(`${path}.kind`, 'the name of a model')
  return byKind[kind]
})

type Kind = SwitchModel['kind']
type ModelOf<Name extends Kind> = Extract<SwitchModel, { readonly kind: Name }>

const byKind: { readonly [Name in Kind]: Codec<ModelOf<Name>> } = {
  constant: recordOf<ModelOf<'constant'>>({ kind: oneOf('constant') }),
  gbm: recordOf<ModelOf<'gbm'>>({ kind: oneOf('gbm'), vol: finite, drift: finite }),
  ou: recordOf<ModelOf<'ou'>>({
    kind: oneOf('ou'),
    mean: finite,
    halfLifeMillis: finite,
    stationarySd: finite,
  }),
  merton: recordOf<ModelOf<'merton'>>({
    kind: oneOf('merton'),
    vol: finite,
    drift: finite,
    jumpsPerYear: finite,
    jumpMean: finite,
    jumpSd: finite,
  }),
  heston: recordOf<ModelOf<'heston'>>({
    kind: oneOf('heston'),
    meanVariance: finite,
    meanReversion: finite,
    volOfVariance: finite,
    leverage: finite,
    drift: finite,
  }),
  garch: recordOf<ModelOf<'garch'>>({
    kind: oneOf('garch'),
    vol: finite,
    barMinutes: finite,
    alpha: finite,
    beta: finite,
    asymmetry: finite,
    tails: finite,
  }),
  regimes: recordOf<ModelOf<'regimes'>>({
    kind: oneOf('regimes'),
    vol: finite,
    regimes: listOf(recordOf<Regime>({ volMultiple: finite, drift: finite })),
    transitions: listOf(listOf(finite)),
  }),
  hawkes: recordOf<ModelOf<'hawkes'>>({
    kind: oneOf('hawkes'),
    vol: finite,
    drift: finite,
    jumps: recordOf<HawkesJumps>({
      perDay: finite,
      branching: finite,
      decayMillis: finite,
      size: finite,
      tilt: finite,
    }),
  }),
  market: recordOf<ModelOf<'market'>>({
    kind: oneOf('market'),
    vol: finite,
    drift: finite,
    marketShare: finite,
    altShare: finite,
    ownShare: finite,
    dailyVolumeUsd: finite,
  }),
  recorded: recordOf<ModelOf<'recorded'>>({ kind: oneOf('recorded'), place: natural }),
}
