import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ModelPrice, readPrices, savePrices } from '#contract/prices.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { type Changes, type Saving, useChanges } from '#web/admin/form/useChanges.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { NO_PRICE, type PriceFields, sentPrice, typedPrice, wrongIn } from './prices.ts'

const pricesQuery = (id: number) =>
  queryOptions({
    queryKey: ['admin', readPrices.path, id],
    queryFn: ({ signal }) => call(readPrices, { params: { id: String(id) } }, { signal }),
    meta: { quiet: true },
  })

export type PricesForm = {
  changes: Changes<PriceFields>
  currency: string
  models: readonly ModelPrice[]
}

/** What the models of an account cost, as a form. Web accounts have no money: they have no models here. */
export function usePrices({ id, source }: Pick<UpstreamRead, 'id' | 'source'>): PricesForm {
  const { data } = useQuery({ ...pricesQuery(id), enabled: source === 'openai_api' })
  const stored = useMemo(() => fieldsOf(data?.prices ?? []), [data])
  const changes = useChanges<PriceFields>({
    stored,
    wrong: prices => Object.values(prices).reduce((sum, price) => sum + wrongIn(price).length, 0),
    async save(changed, expected) {
      const sent = (prices: Partial<PriceFields>) =>
        Object.entries(prices).map(([model, price]) => sentPrice(model, price ?? NO_PRICE))
      const body = { prices: sent(changed), expected: sent(expected) }
      queryClient.setQueryData(pricesQuery(id).queryKey, await call(savePrices, { params: { id: String(id) }, body }))
    },
    reload: async () => fieldsOf((await queryClient.fetchQuery({ ...pricesQuery(id), staleTime: 0 })).prices),
  })
  return { changes, currency: data?.currency ?? '', models: data?.prices ?? [] }
}

const fieldsOf = (prices: readonly ModelPrice[]): PriceFields =>
  Object.fromEntries(prices.map(price => [price.model, typedPrice(price)]))

/** Two forms that are saved together. */
export function together(one: Saving, other: Saving): Saving {
  const both = [one, other]
  return {
    ...one,
    count: one.count + other.count,
    wrong: one.wrong + other.wrong,
    conflicts: [...one.conflicts, ...other.conflicts],
    pending: one.pending || other.pending,
    async save() {
      for (const each of both) if (each.count > 0 && !(await each.save())) return false
      return true
    },
    discard() {
      for (const each of both) each.discard()
    },
  }
}
