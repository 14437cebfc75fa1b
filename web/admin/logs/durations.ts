import { useCallback } from 'react'
import { clockText } from '#web/foundation/times.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** Seconds as in a table: 8.3 s, 38 s, 4:12; a dash where nothing was measured. */
export function useDuration(): (seconds: number | null) => string {
  const t = useTranslate()
  return useCallback(
    seconds => {
      if (seconds === null) return '–'
      if (seconds >= 120) return clockText(Math.round(seconds))
      const digits = seconds > 0 && seconds < 60 && !Number.isInteger(seconds) ? 1 : 0
      return t('logs.seconds', { seconds: seconds.toFixed(digits) })
    },
    [t],
  )
}
