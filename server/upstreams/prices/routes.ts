import { readPrices, savePrices } from '#contract/prices.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/sessionGuard.ts'
import type { Prices } from './prices.ts'

export function priceRoutes<U extends SignedIn>(http: Http<U>, prices: Prices): void {
  http.answer(readPrices, ({ params }) => prices.read(Number(params.id)))
  http.answer(savePrices, ({ params, body }) => prices.save(Number(params.id), body.prices, body.expected ?? null))
}
