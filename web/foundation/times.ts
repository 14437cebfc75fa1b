import { useEffect, useState } from 'react'
import type { Language } from '#contract/preferences.ts'

const STEPS = [['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3600], ['minute', 60]] as const

const spans = new Map<Language, Intl.RelativeTimeFormat>()

/** "3 分钟前", "in 2 hours"; null within the same minute, for which each language has its own word. */
export function relativeTime(time: Date, now: Date, language: Language): string | null {
  const seconds = (time.getTime() - now.getTime()) / 1000
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
  if (step === undefined) return null
  const [unit, size] = step
  const known = spans.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  spans.set(language, known)
  return known.format(Math.trunc(seconds / size), unit)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Made once: a long thread shows hundreds of times, and making a format takes longer than all else about it. */
function format(time: Date, language: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${language} ${JSON.stringify(options)}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options)
  formats.set(key, known)
  return known.format(time)
}

/** A date as people write it, in the viewer's own zone. */
export function formatDate(time: Date, language: Language): string {
  return format(time, language, { dateStyle: 'medium' })
}

export function formatDateTime(time: Date, language: Language): string {
  return format(time, language, { dateStyle: 'medium', timeStyle: 'short' })
}

/** 14:20 in every language: a time of day is compared, not read aloud. */
export function formatTimeOfDay(time: Date): string {
  return format(time, 'en-GB', { hour: '2-digit', minute: '2-digit' })
}

export function formatMonth(time: Date, language: Language): string {
  return format(time, language, { year: 'numeric', month: 'long' })
}

/** The present, renewed after each span; texts that count in minutes need no more than 30 s. */
export function useNow(milliseconds = 30_000): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
  return now
}
