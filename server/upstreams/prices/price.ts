/**
 * What a model costs: millionths of the portal's currency a million tokens, and a picture of an answer. Null: not
 * known.
 */
export type Price = {
  input: number | null
  cached_input: number | null
  output: number | null
  picture: number | null
  /** It costs nothing, also where money is limited. */
  free: boolean
}

/** A price by which every ask has a cost: what is told and what is answered are known, or it is free. */
export type FullPrice = Price & ({ input: number; output: number } | { free: true })

export const isFull = (price: Price | null): price is FullPrice =>
  price !== null && (price.free || (price.input !== null && price.output !== null))

export const isUnknown = ({ input, cached_input, output, picture, free }: Price): boolean =>
  !free && input === null && cached_input === null && output === null && picture === null

/** What an ask used. `cached_tokens` are among the input. */
export type PricedUse = { input_tokens: number; cached_tokens: number; output_tokens: number; pictures: number }

const MILLION = 1_000_000n

/** Millionths, rounded up an ask. Numbers may be too large for each other's product, so it is computed exactly. */
export function costOf(price: FullPrice, { input_tokens, cached_tokens, output_tokens, pictures }: PricedUse): number {
  if (price.free) return 0
  const [input, output] = [price.input ?? 0, price.output ?? 0]
  const cached = Math.min(cached_tokens, input_tokens)
  const ofTokens =
    BigInt(input_tokens - cached) * BigInt(input) +
    BigInt(cached) * BigInt(price.cached_input ?? input) +
    BigInt(output_tokens) * BigInt(output)
  return Number((ofTokens + MILLION - 1n) / MILLION + BigInt(pictures) * BigInt(price.picture ?? 0))
}

/** How many tokens an answer may have, so that all costs at most this much; -1 where the input alone costs more. */
export function affordableOutput(price: FullPrice, input_tokens: number, cost: number): number {
  if (price.free || cost === Infinity) return Infinity
  const left = cost - costOf(price, { input_tokens, cached_tokens: 0, output_tokens: 0, pictures: 0 })
  if (left < 0) return -1
  const output = price.output ?? 0
  // The cost is rounded up once, here for each of the two: at most one token too few.
  return output === 0 ? Infinity : Number((BigInt(left) * MILLION) / BigInt(output))
}
