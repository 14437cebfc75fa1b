import type { Language } from '#contract/preferences.ts'
import { dayIn } from '#web/usage/calendar.ts'

/** "2026-11" */
export const monthIn = (moment: Date, time_zone: string): string => dayIn(moment, time_zone).slice(0, 7)

/** The month so many months later, or before. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

/** "2026年11月" */
export const monthText = (month: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01`))

/** A moment as the clock of a time zone shows it, without its year. */
export const zoneText = (moment: Date, time_zone: string, language: Language): string =>
  new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: time_zone,
  }).format(moment)
