import { useEffect, useState } from 'react'
import type { Language } from '#contract/preferences.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
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
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`
}

/** Whole seconds as 4:12, or as 1:02:05 where there are hours. */
export function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = twoDigits(seconds % 60)
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${twoDigits(minutes)}:${tail}`
}

export function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/**
 * Calendar days from one time to another, in the viewer's own zone. Rounded: a day on which the clocks change has 23 or
 * 25 hours.
 */
export function daysBetween(from: Date, to: Date): number {
  const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}

/** "昨天" for -1, "明天" for 1. */
export function relativeDay(days: number, language: Language): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
}

export function formatMonth(time: Date, language: Language): string {
  const { month, months } = LANGUAGE_ENTRIES[language]
  return fill(month, { ...inDigits(time), month: months.long[time.getMonth()] ?? '' }, language)
}

/** Formatted as digits, because no language groups the digits of a year. */
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

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * "3分钟前" within a day, then the date and time in the viewer’s zone. A time in the future is "just now": clocks differ.
 */
export function agoText(time: Date, now: Date, t: Translate, language: Language): string {
  const passed = now.getTime() - time.getTime()
  if (passed < MINUTE_MS) return t('message.justNow')
  if (passed < HOUR_MS) return t('message.minutesAgo', { count: Math.trunc(passed / MINUTE_MS) })
  if (passed < DAY_MS) return t('message.hoursAgo', { count: Math.trunc(passed / HOUR_MS) })
  return formatDateTime(time, language)
}
