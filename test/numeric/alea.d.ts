/** Alea of the seedrandom package, imported by a path that neither calls Math.random nor loads crypto. */
declare module 'seedrandom/lib/alea.js' {
  interface AleaState {
    readonly c: number
    readonly s0: number
    readonly s1: number
    readonly s2: number
  }

  interface Alea {
    /** 53 bits in [0, 1). */
    double(): number
    state(): AleaState
  }

  function alea(seed: string, options: { readonly state: true | AleaState }): Alea

  export = alea
}
