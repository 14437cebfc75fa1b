/** Pseudo-random numbers: the same sequence for a seed on every machine, so that a random test can be repeated. */
export type Random = {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number below `bound`. */
  below(bound: number): number
  of<T>(choices: readonly T[]): T
  /** True with a probability of `share` percent. */
  percent(share: number): boolean
}

/** mulberry32 by Tommy Ettinger, public domain: small, and uniform enough for tests. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    of: choices => {
      const chosen = choices[below(choices.length)]
      if (chosen === undefined) throw new Error('nothing to choose from')
      return chosen
    },
    percent: share => next() * 100 < share,
  }
}
