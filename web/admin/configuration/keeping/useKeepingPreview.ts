import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type Going, type KeepingPreview, previewKeeping } from '#contract/keeping.ts'
import { call } from '#web/foundation/call.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { type SettingsForm, shownValue } from '../settings/form.ts'
import { ROWS } from '../settings/rows.ts'

const previewQuery = (query: { conversation_days?: string; deleted_days?: string }) =>
  queryOptions({
    queryKey: ['keeping preview', query],
    queryFn: ({ signal }) => call(previewKeeping, { query }, { signal }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })

/** What goes at the next 04:00, with the numbers that stand in the form. */
export function useKeepingPreview(configuration: SettingsForm): KeepingPreview | undefined {
  const daysOf = (name: 'conversation_days' | 'deleted_days') => {
    const row = ROWS.find(({ path }) => path === `keeping.${name}`)
    const value = row && shownValue(configuration, row)
    return typeof value === 'number' && Number.isInteger(value) && value >= -1 && value <= 36_500
      ? { [name]: String(value) }
      : {}
  }
  return useQuery(previewQuery({ ...daysOf('conversation_days'), ...daysOf('deleted_days') })).data
}

/** "3 conversations of Mei Ling". */
export function goingText({ conversations, people, of }: Going, t: Translate): string {
  if (conversations === 0) return t('keeping.nothing')
  const [first] = of
  const name = first?.owner?.nickname
  if (people === 1 && of.length === 1 && name !== undefined) return t('keeping.ofOne', { count: conversations, name })
  return people === 0
    ? t('keeping.conversations', { count: conversations })
    : t('keeping.of', { count: conversations, people })
}

/** Whom the setting does not hit, by plan: "“Guests” says 90 days: 2 people". */
export function apartTexts(apart: KeepingPreview['apart']['aged'], t: Translate): string[] {
  return apart.map(({ plan, days, people }) => {
    if (plan === null) return days < 0 ? t('keeping.ownForever', { people }) : t('keeping.own', { days, people })
    return days < 0 ? t('keeping.planForever', { plan, people }) : t('keeping.plan', { plan, days, people })
  })
}

/** When it is, in the time of the reader. */
export function useCleaningTime(preview: KeepingPreview | undefined): string {
  const language = useLanguage()
  useTranslate() // the texts of the language
  return preview === undefined ? '' : formatDateTime(new Date(preview.time), language)
}
