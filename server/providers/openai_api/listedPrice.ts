import type { ListedPrice } from '#server/configuration/models.ts'
import { fieldOf } from '../looseJson.ts'

/** From amounts a token to millionths a million tokens. */
const MILLION_MILLIONTHS = 1_000_000_000_000
/** More than anything costs: an odd entry. */
const MAX = 1_000_000_000_000

/**
 * What a model costs as its endpoint lists it, in US dollars: OpenRouter has texts, a token. Null: it says nothing, or
 * that it depends (-1).
 */
export function listedPriceIn(entry: unknown): ListedPrice | null {
  const pricing = fieldOf(entry, 'pricing')
  const [input, output] = [amountIn(fieldOf(pricing, 'prompt')), amountIn(fieldOf(pricing, 'completion'))]
  if (input === null || output === null) return null
  return { input, cached_input: amountIn(fieldOf(pricing, 'input_cache_read')), output }
}

function amountIn(said: unknown): number | null {
  if (typeof said !== 'string' || said.length > 40 || !/^\d+(?:\.\d+)?(?:[eE]-?\d{1,2})?$/.test(said.trim()))
    return null
  const millionths = Math.round(Number(said) * MILLION_MILLIONTHS)
  return millionths <= MAX ? millionths : null
}
