/*
 * Branded integers. A brand stops ticks from being passed as steps. It does not survive arithmetic, so results are
 * branded again by the constructors below, which check nothing. Every value is a safe integer held in a double.
 */
declare const unit: unique symbol
type Unit<Name extends string> = number & { readonly [unit]: Name }

/** A price, in price steps of its pair. */
export type PriceTicks = Unit<'PriceTicks'>
/** A quantity, in quantity steps of its pair. */
export type QuantitySteps = Unit<'QuantitySteps'>
/** An amount of one asset (USD too) in its smallest unit, 10^-scale of it. */
export type Atoms = Unit<'Atoms'>
/** Milliseconds: an instant since 1970-01-01T00:00:00Z, or a span. */
export type Millis = Unit<'Millis'>
/** A rate in parts per million; 10 basis points are 1000. */
export type PartsPerMillion = Unit<'PartsPerMillion'>

/* The one place where a plain number becomes a branded one. */
export const priceTicks = (value: number): PriceTicks => value as PriceTicks
export const quantitySteps = (value: number): QuantitySteps => value as QuantitySteps
export const atoms = (value: number): Atoms => value as Atoms
export const millis = (value: number): Millis => value as Millis
export const partsPerMillion = (value: number): PartsPerMillion => value as PartsPerMillion
