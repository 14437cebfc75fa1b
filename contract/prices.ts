/** What models of a shared account cost: in the portal's currency, a million tokens, and a picture of an answer. */
import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { storable, Time } from './envelope.ts'

/** Of a price: more than anything costs, and so a slip of the hand. */
export const MAX_PRICE = 1_000_000
/** Money is kept in millionths. */
const MILLION = 1_000_000
/** More models than an endpoint offers. */
export const MAX_PRICES = 2_000

/** Whether an amount has at most six decimals, as far as a number can tell. */
const hasSixDecimals = (amount: number): boolean =>
  Math.abs(amount - fromMillionths(toMillionths(amount))) <= amount * Number.EPSILON * 8

/** Millionths of an amount. */
export const toMillionths = (amount: number): number => Math.round(amount * MILLION)
export const fromMillionths = (millionths: number): number => millionths / MILLION

export const Amount = z.number().check(
  z.minimum(0),
  z.maximum(MAX_PRICE),
  z.refine(amount => hasSixDecimals(amount), 'more than six decimals'),
)

/** Null: not known. */
const amounts = {
  input: z.nullable(Amount),
  cached_input: z.nullable(Amount),
  output: z.nullable(Amount),
  picture: z.nullable(Amount),
  /** It costs nothing, and may be asked also where money is limited. */
  free: z.boolean(),
}

/** What is left out is not known. */
export const PriceChange = z.object({
  /** By its code, or as the upstream calls it. */
  model: z.string().check(z.minLength(1), z.maxLength(200), storable),
  input: z._default(amounts.input, null),
  cached_input: z._default(amounts.cached_input, null),
  output: z._default(amounts.output, null),
  picture: z._default(amounts.picture, null),
  free: z._default(amounts.free, false),
  /** From when on; now, where it is left out or over. */
  from: z.optional(Time),
})
export type PriceChange = z.infer<typeof PriceChange>

export const ModelPrice = z.object({
  model: z.string(),
  /** As the upstream calls it. */
  name: z.string(),
  ...amounts,
  /** Where it comes from: what is set by hand counts before what the endpoint lists. Null: nobody knows one. */
  by: z.nullable(z.enum(['hand', 'read'])),
  /** Since when it holds. */
  from: z.nullable(Time),
})
export type ModelPrice = z.infer<typeof ModelPrice>

export const UpstreamPrices = z.object({
  /** ISO 4217. */
  currency: z.string(),
  prices: z.array(ModelPrice),
  /** Those that hold from a later moment on. */
  coming: z.array(ModelPrice),
})
export type UpstreamPrices = z.infer<typeof UpstreamPrices>

const byId = z.object({ id: z.string().check(z.regex(/^\d{1,15}$/)) })

export const readPrices = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/upstreams/:id/prices',
  summary: 'What its models cost.',
  params: byId,
  result: UpstreamPrices,
} as const satisfies Call

export const savePrices = {
  ...nothing,
  access: 'superuser',
  method: 'PUT',
  path: '/system/upstreams/:id/prices',
  summary:
    'Sets what the named models cost from now on; those that are not named stay, and so does what was asked before.',
  params: byId,
  body: z.object({
    prices: z.array(PriceChange).check(z.maxLength(MAX_PRICES)),
    /** What was seen of the named models; when that has changed, nothing is stored (`changedMeanwhile`). */
    expected: z.optional(z.array(PriceChange).check(z.maxLength(MAX_PRICES))),
  }),
  result: UpstreamPrices,
} as const satisfies Call
