import { queryOptions, useQuery } from '@tanstack/react-query'
import { readSystemInfo } from '#contract/statistics.ts'
import { call } from '#web/foundation/call.ts'
import { twoDigits, useNow } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** "2026-12-31", in the viewer's own zone. */
export function calendarDay(time: Date): string {
  return [String(time.getFullYear()).padStart(4, '0'), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join(
    '-',
  )
}

/** "12-31", with the year unless it is this one. */
export function shortDay(time: Date, now: Date): string {
  const day = calendarDay(time)
  return time.getFullYear() === now.getFullYear() ? day.slice(-5) : day
}

const EVERY_SECONDS = 60

export const systemInfoQuery = queryOptions({
  queryKey: ['admin', readSystemInfo.path],
  queryFn: ({ signal }) => call(readSystemInfo, {}, { signal }),
  staleTime: EVERY_SECONDS * 500,
  meta: { quiet: true },
})

/**
 * The foot of the navigation: how long the portal has been running, and the time zone in which this device shows all
 * times of these pages.
 */
export function useUptimeTexts(): string[] {
  const t = useTranslate()
  const now = useNow()
  const { data: info } = useQuery({ ...systemInfoQuery, refetchInterval: EVERY_SECONDS * 1000 })
  return [
    ...(info === undefined ? [] : [uptimeText(now.getTime() / 1000 - info.startup_time, t)]),
    t('admin.zone', { zone: ownZone() }),
  ]
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** In at most two units: days and hours, hours and minutes, or minutes. */
function uptimeText(seconds: number, t: Translate): string {
  const past = Math.max(0, seconds)
  const [days, hours, minutes] = [
    Math.floor(past / DAY),
    Math.floor((past % DAY) / HOUR),
    Math.floor((past % HOUR) / MINUTE),
  ]
  if (days > 0) return t('admin.up.days', { days, hours })
  return hours > 0 ? t('admin.up.hours', { hours, minutes }) : t('admin.up.minutes', { minutes })
}
