import { useCallback } from 'react'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** The label, or the name of the source for a first upstream without one. */
export function useUpstreamName(): (upstream: Pick<UpstreamRead, 'label' | 'source'>) => string {
  const t = useTranslate()
  return useCallback(({ label, source }) => (label === '' ? t(`upstreams.first.${source}`) : label), [t])
}
