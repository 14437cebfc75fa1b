import { Button, Popover } from '@mantine/core'
import { useMemo, useState } from 'react'
import { DateInput } from '../drawer/rows.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCalendar } from '#web/kit/icons.ts'
import styles from './range.module.css'
import { calendarDay } from '../shell/times.ts'
import { useAddress } from '../table/useListAddress.ts'

/** Chooses the time range of the page: the last day, week or month, or two dates. */
export function RangeSwitch({ range }: { range: RangeChoice }) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  return (
    <div className={styles.range} role="group" aria-label={t('range.label')}>
      {LENGTH_NAMES.map(name => (
        <button key={name} type="button" aria-pressed={range.name === name} onClick={() => range.choose(name)}>
          {t(`range.${name}`)}
        </button>
      ))}
      <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" aria-pressed={range.name === 'own'} onClick={() => setOpened(!opened)}>
            <IconCalendar size={14} aria-hidden />
            {t('range.own')}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <OwnRange range={range} onDone={() => setOpened(false)} />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

function OwnRange({ range, onDone }: { range: RangeChoice; onDone(): void }) {
  const t = useTranslate()
  const [{ first, last }, setDates] = useState(range.dates)
  const isMissing = first === '' || last === ''
  const isWrong = !isMissing && last < first
  return (
    <form
      className={styles.own}
      onSubmit={event => {
        event.preventDefault()
        range.chooseDates({ first, last })
        onDone()
      }}
    >
      <DateInput label={t('range.from')} value={first} onChange={next => setDates({ first: next, last })} />
      <DateInput
        label={t('range.to')}
        value={last}
        error={isWrong && t('range.wrong')}
        onChange={next => setDates({ first, last: next })}
      />
      <Button type="submit" size="xs" disabled={isMissing || isWrong}>
        {t('range.show')}
      </Button>
    </form>
  )
}

const HOUR = 3600
/** Seconds. */
const LENGTHS = { '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR } as const
type Length = keyof typeof LENGTHS
const LENGTH_NAMES = Object.keys(LENGTHS) as Length[] // keys of a literal

/** Two dates of this device's calendar, `2026-11-20`, both whole days of the range. */
type Dates = { first: string; last: string }

/** The time range of a page, as its address has it. */
export type Range = {
  name: Length | 'own'
  dates: Dates
  /** What the calls take. Without `to` it ends now. */
  query: { from: string; to?: string }
  /** Seconds from its beginning to its end. */
  length: number
}

export type RangeChoice = Range & { choose(length: Length): void; chooseDates(dates: Dates): void }

/** `now`: epoch milliseconds; `usual`: the range of an address that names none. */
export function useRange(now: number, usual: Length): RangeChoice {
  const { search, go } = useAddress()
  const minute = minuteOf(now)
  return useMemo(() => {
    const change = (entries: { range?: string; from?: string; to?: string }) =>
      go({ page: undefined, ...NO_RANGE, ...entries }, false)
    return {
      ...rangeOf(search, minute, usual),
      choose: length => change(length === usual ? {} : { range: length }),
      chooseDates: ({ first, last }) => change({ range: 'own', from: first, to: last }),
    }
  }, [search, go, minute, usual])
}

/** Rounded to minutes: each second would make another query. */
export const minuteOf = (now: number): number => Math.floor(now / 60_000) * 60_000

/** The entries to drop when another range is chosen, granularities included. */
const NO_RANGE = { range: undefined, from: undefined, to: undefined, asks: undefined, requests: undefined }

/** The range of an address; the usual one when the address has none that is valid. */
export function rangeOf(search: Readonly<Record<string, unknown>>, now: number, usual: Length): Range {
  const own = search.range === 'own' ? ownRange(dateIn(search.from), dateIn(search.to), now) : null
  const name = LENGTH_NAMES.find(one => one === search.range) ?? usual
  const [start, end] = own ?? [now - LENGTHS[name] * 1000, now]
  return {
    name: own === null ? name : 'own',
    dates: { first: calendarDay(new Date(start)), last: calendarDay(new Date(end - 1)) },
    query: { from: new Date(start).toISOString(), ...(own !== null && { to: new Date(end).toISOString() }) },
    length: (end - start) / 1000,
  }
}

function ownRange(first: string, last: string, now: number): [start: number, end: number] | null {
  if (first === '') return null
  const start = dayOf(first)
  const end = last === '' ? now : Math.min(now, dayOf(last, 1))
  return start < end ? [start, end] : null
}

function dateIn(value: unknown): string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''
}

/** The beginning of a day in this device's zone, or of the day `later` days after it. */
function dayOf(date: string, later = 0): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day + later).getTime()
}
