import { number } from '../../shape/shape.ts'

/* Fields that several models have. */

export const vol = number(0, 100, 'Annual volatility in the long run; 0.6 is 60 %.')
export const volBetweenJumps = number(0, 100, 'Annual volatility between the jumps; 0.6 is 60 %.')
export const drift = number(-100, 100, 'Annual drift of the price; 0.1 is 10 %.', { default: 0 })
export const noiseVol = number(
  0,
  100,
  'Annual volatility of the noise between the points; 0 is a pure line.',
  {
    default: 0,
  },
)
