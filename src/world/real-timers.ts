import { performance } from 'node:perf_hooks'
import * as timers from 'node:timers'
import * as promises from 'node:timers/promises'

/*
 * The platform's timers as they were when this module was loaded. A test that replaces them stops the program that it
 * tests, and must not stop the venue that runs in the same process: with a replaced `setImmediate` a long advance would
 * never end. They come from modules and are kept here, because libraries replace the functions of the global object
 * before this module is loaded (jest's `enableGlobally`), or those of the modules afterwards (sinon).
 */

export const { setTimeout, setInterval, clearInterval, setImmediate } = timers

/** Resolves after a span of real time, in milliseconds. Rejects when the signal is aborted. */
export const sleep: typeof promises.setTimeout = promises.setTimeout

/** Resolves in another turn of the event loop. */
export const waitForTurn: typeof promises.setImmediate = promises.setImmediate

/** Returns the milliseconds of real time since the process began, with fractions. */
export const readElapsedMillis: () => number = performance.now.bind(performance)
