/** FNV-1a hash: the same number for the same text on every machine. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

export type Random = {
  below: (limit: number) => number
  pick: <T>(list: readonly T[]) => T
  shuffled: <T>(list: readonly T[]) => T[]
}

/** mulberry32: small, quick, and the same sequence for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: list => {
      const chosen = list[below(list.length)]
      if (chosen === undefined) throw new Error('nothing to pick from')
      return chosen
    },
    shuffled: list => {
      const rest = [...list]
      for (let at = rest.length - 1; at > 0; at -= 1) {
        const other = below(at + 1)
        const held = rest[at]
        const swapped = rest[other]
        if (held === undefined || swapped === undefined) continue
        rest[at] = swapped
        rest[other] = held
      }
      return rest
    },
  }
}
