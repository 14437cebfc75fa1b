import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Language } from '#contract/preferences.ts'
import { daysBetween, formatTimeOfDay, relativeDay, useNow, clockText } from './times.ts'
import { useLanguage } from '#web/i18n/useTranslate.ts'

/** "14:20" today, "明天 07:00", "11月23日 07:00" later; in the viewer's own zone. */
export function momentText(moment: string, now: Date, language: Language): string {
  const time = new Date(moment)
  const days = daysBetween(now, time)
  if (days === 0) return formatTimeOfDay(time)
  const day =
    days === 1
      ? relativeDay(1, language)
      : new Intl.DateTimeFormat(language, {
          month: 'short',
          day: 'numeric',
          ...(time.getFullYear() !== now.getFullYear() && { year: 'numeric' }),
        }).format(time)
  return `${day} ${formatTimeOfDay(time)}`
}

/** Formats a time of the server for the viewer's language and zone. */
export function useMomentText(): (moment: string) => string {
  const language = useLanguage()
  const now = useNow()
  return useCallback(moment => momentText(moment, now, language), [now, language])
}

/** Milliseconds until a moment of the server's clock, which is `ahead_ms` ahead of this device's. */
export function leftUntil(moment: string, now_ms: number, ahead_ms: number): number {
  return Math.max(0, Date.parse(moment) - (now_ms + ahead_ms))
}

const DAY = 86_400

/** "0:09", "12:34", "3:05:00", rounded up; null from a day on. */
export function countdownText(left_ms: number): string | null {
  const seconds = Math.ceil(left_ms / 1000)
  return seconds >= DAY ? null : clockText(seconds)
}

/** Milliseconds after the full second at which the text is updated, so that it shows the new second. */
const AFTER_SECOND = 20

/**
 * Milliseconds left until the moment, updated every second. Once it is over `onEnd` is called every second, until the
 * moment changes.
 */
export function useCountdown(moment: string | null, ahead_ms: number, onEnd: () => void): number {
  const [now, setNow] = useState(() => Date.now())
  const ended = useEffectEvent(onEnd)
  useEffect(() => {
    if (moment === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = () => {
      const at = Date.now()
      const left = leftUntil(moment, at, ahead_ms)
      setNow(at)
      if (left === 0) ended()
      timer = setTimeout(tick, left === 0 ? 1000 : (left % 1000 || 1000) + AFTER_SECOND)
    }
    tick()
    return () => clearTimeout(timer)
  }, [moment, ahead_ms])
  return moment === null ? 0 : leftUntil(moment, now, ahead_ms)
}
