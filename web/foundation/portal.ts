import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { isKnownModel, type ModelChoice, type Source } from '#contract/models.ts'
import { type Portal, readPortal } from '#contract/status.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { call } from './call.ts'

/** Milliseconds; an administrator changes it rarely. */
const STALE_AFTER = 60_000

export const portalQuery = queryOptions({
  queryKey: ['portal'],
  queryFn: ({ signal }) => call(readPortal, {}, { signal }),
  staleTime: STALE_AFTER,
})

export function usePortal(): Portal | undefined {
  return useQuery(portalQuery).data
}

/** What is known of a model; null while nothing is. */
export function useModel({ source, model }: { source: Source; model: string | null }): ModelChoice | null {
  return usePortal()?.models.find(each => each.source === source && each.code === model) ?? null
}

/** The specification, section 3: an unknown model is shown as 'unknown' with its code in brackets. */
export function useModelName(): (code: string) => string {
  const t = useTranslate()
  const portal = usePortal()
  return useCallback(code => modelName(code, portal, t), [t, portal])
}

export function modelName(code: string, portal: Pick<Portal, 'models'> | undefined, t: Translate): string {
  const label = portal?.models.find(model => model.code === code && model.label !== null)?.label
  if (label !== undefined && label !== null) return label
  return isKnownModel(code) ? t(`models.${code}`) : t('models.unknown', { code })
}
