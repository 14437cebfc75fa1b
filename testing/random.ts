/** The same sequence for the same seed, on every machine, so that what a random test found can be found again. */
export type Random = {
  /** 0 to 1, 1 excluded. */
  next(): number
  /** A whole number below `bound`. */
  below(bound: number): number
  of<T>(choices: readonly T[]): T
  /** True in so many of a hundred cases. */
  percent(share: number): boolean
}

/** mulberry32 by Tommy Ettinger, in the public domain: small, and even enough for choosing. */
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
