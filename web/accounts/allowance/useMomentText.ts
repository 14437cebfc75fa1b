import { useCallback } from 'react'
import { useNow } from '#web/foundation/times.ts'
import { useLanguage } from '#web/i18n/useTranslate.ts'
import { momentText } from './moments.ts'

/** A time of the server as people say it here and now. */
export function useMomentText(): (moment: string) => string {
  const language = useLanguage()
  const now = useNow()
  return useCallback(moment => momentText(moment, now, language), [now, language])
}
