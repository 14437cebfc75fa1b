import { useCallback } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** Seconds as in a table: 8.3 s, 38 s, 4:12; a dash where nothing was measured. */
export function useDuration(): (seconds: number | null) => string {
  const t = useTranslate()
  return useCallback(
    seconds => {
      if (seconds === null) return '–'
      if (seconds >= 120) return clock(Math.round(seconds))
      const digits = seconds > 0 && seconds < 60 && !Number.isInteger(seconds) ? 1 : 0
      return t('logs.seconds', { seconds: seconds.toFixed(digits) })
    },
    [t],
  )
}

/** 4:12, or 1:02:05. */
function clock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const parts = hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60]
  return parts.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
