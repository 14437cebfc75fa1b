import { useEffect, useState } from 'react'
import type { Language } from '#contract/preferences.ts'
import { fill } from '#web/i18n/fill.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'

/** A date as people write it, in the viewer's own zone. */
export function formatDate(time: Date, language: Language): string {
  const { date, months } = LANGUAGE_ENTRIES[language]
  return fill(date, { ...inDigits(time), month: months.short[time.getMonth()] ?? '' }, language)
}

/** The date and the time of day. */
export function formatDateTime(time: Date, language: Language): string {
  return `${formatDate(time, language)} ${formatTimeOfDay(time)}`
}

/** 14:20 in every language. */
export function formatTimeOfDay(time: Date): string {
  return [time.getHours(), time.getMinutes()].map(part => String(part).padStart(2, '0')).join(':')
}

export function formatMonth(time: Date, language: Language): string {
  const { month, months } = LANGUAGE_ENTRIES[language]
  return fill(month, { ...inDigits(time), month: months.long[time.getMonth()] ?? '' }, language)
}

/** As texts, since no language separates the thousands of a year. */
function inDigits(time: Date) {
  return { year: String(time.getFullYear()), day: String(time.getDate()) }
}

/** The current time, updated after each span; 30 s are enough for texts that count minutes. */
export function useNow(milliseconds = 30_000): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
  return now
}

/** Whole seconds since a moment of this device's clock. */
export function useSecondsSince(since: number): number {
  const now = useNow(1000).getTime()
  return Math.max(0, Math.floor((now - since) / 1000))
}
