import { useCallback } from 'react'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** The first one of a source may have no name of its own. */
export function useUpstreamName(): (upstream: Pick<UpstreamRead, 'label' | 'source'>) => string {
  const t = useTranslate()
  return useCallback(({ label, source }) => (label === '' ? t(`upstreams.first.${source}`) : label), [t])
}
