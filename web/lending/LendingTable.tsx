import { NativeSelect, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Lending, type LendingReport, MAX_LENDING_WEEKS, readLending } from '#contract/lending.ts'
import { UserAvatar } from '#web/admin/shell/UserAvatar.tsx'
import { call } from '#web/foundation/call.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './lending.module.css'

const LENGTHS = [4, MAX_LENDING_WEEKS]
/** Rows before the others fold. */
const MAX_ROWS = 9
const COLUMNS = ['used', 'lent', 'borrowed', 'refused'] as const

/** Who lent, borrowed and was refused of an account: over all weeks, or in one of them. */
export function LendingTable({ upstream_id }: { upstream_id: number }) {
  const t = useTranslate()
  const [weeks, setWeeks] = useState(4)
  const [week, setWeek] = useState<number | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'upstreams', 'lending', upstream_id, weeks],
    queryFn: ({ signal }) => call(readLending, { params: { id: String(upstream_id) }, query: { weeks } }, { signal }),
    meta: { quiet: true },
  })
  const choose = (length: number) => {
    setWeeks(length)
    setWeek(null)
  }
  return (
    <section className={styles.lending} aria-busy={data === undefined} data-testid="lending">
      <div className={styles.choices}>
        <SegmentedControl
          size="xs"
          aria-label={t('lending.length')}
          value={String(weeks)}
          data={LENGTHS.map(count => ({ value: String(count), label: t('lending.weeks', { count }) }))}
          onChange={value => choose(Number(value))}
        />
        {data !== undefined && <WeekChoice report={data} week={week} onChoose={setWeek} />}
      </div>
      {error !== null && data === undefined && <NotLoaded error={error} onRetry={refetch} />}
      {data?.people.length === 0 && <p className={styles.note}>{t('lending.none')}</p>}
      {data !== undefined && data.people.length > 0 && <People report={data} week={week} />}
      <p className={styles.note}>{t('lending.note')}</p>
    </section>
  )
}

type WeekChoiceProps = { report: LendingReport; week: number | null; onChoose(week: number | null): void }

function WeekChoice({ report: { weeks }, week, onChoose }: WeekChoiceProps) {
  const t = useTranslate()
  const language = useLanguage()
  return (
    <NativeSelect
      size="xs"
      aria-label={t('lending.period')}
      value={week === null ? '' : String(week)}
      data={[
        { value: '', label: t('lending.all', { count: weeks.length }) },
        ...weeks
          .map((start, at) => ({
            value: String(at),
            label: t('lending.week', { date: formatDate(new Date(start), language) }),
          }))
          .toReversed(),
      ]}
      onChange={event => onChoose(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
    />
  )
}

const NOTHING: Lending = { used: 0, lent: 0, borrowed: 0, refused: 0 }

type PeopleProps = { report: LendingReport; week: number | null }

function People({ report: { people, total }, week }: PeopleProps) {
  const t = useTranslate()
  const [isUnfolded, setUnfolded] = useState(false)
  const inPeriod = ({ total: all, by_week }: LendingReport['people'][number]) =>
    week === null ? all : (by_week[week] ?? NOTHING)
  const rows = people.toSorted((one, other) => inPeriod(other).lent - inPeriod(one).lent)
  const shown = isUnfolded ? rows : rows.slice(0, MAX_ROWS)
  // Whoever is gone is in the sum of all weeks only.
  const sum = week === null ? total : people.map(inPeriod).reduce(added, NOTHING)
  const tallest = Math.max(1, ...people.flatMap(({ by_week }) => by_week.flatMap(each => [each.lent, each.borrowed])))
  return (
    <>
      <table className={styles.people} data-testid="lending-table">
        <thead>
          <tr>
            <th scope="col">{t('lending.person')}</th>
            <th scope="col">{t('lending.byWeek')}</th>
            {COLUMNS.map(column => (
              <th key={column} scope="col">
                {t(`lending.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(person => (
            <tr key={person.user.id} data-testid="lending-row">
              <th scope="row">
                <span className={styles.person}>
                  <UserAvatar id={person.user.id} nickname={person.user.nickname} />
                  <span>{person.user.nickname}</span>
                </span>
              </th>
              <td>
                <WeekBars by_week={person.by_week} chosen={week} tallest={tallest} />
              </td>
              <Figures of={inPeriod(person)} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {t('lending.sum')}
            </th>
            <Figures of={sum} />
          </tr>
        </tfoot>
      </table>
      {shown.length < rows.length && (
        <button type="button" className={styles.unfold} onClick={() => setUnfolded(true)}>
          {t('lending.others', { count: rows.length - shown.length })}
        </button>
      )}
    </>
  )
}

const added = (one: Lending, other: Lending): Lending => ({
  used: one.used + other.used,
  lent: one.lent + other.lent,
  borrowed: one.borrowed + other.borrowed,
  refused: one.refused + other.refused,
})

function Figures({ of }: { of: Lending }) {
  const number = new Intl.NumberFormat(useLanguage())
  return COLUMNS.map(column => (
    <td key={column} data-none={of[column] === 0 || undefined}>
      {of[column] === 0 ? '–' : number.format(of[column])}
    </td>
  ))
}

type WeekBarsProps = { by_week: readonly Lending[]; chosen: number | null; tallest: number }

/** Each week a bar up for what was lent and one down for what was borrowed. The numbers are read by choosing a week. */
function WeekBars({ by_week, chosen, tallest }: WeekBarsProps) {
  return (
    <span className={styles.weeks} data-few={by_week.length < 6 || undefined} aria-hidden="true">
      {by_week.map(({ lent, borrowed }, at) => (
        <span key={at} data-dim={(chosen !== null && chosen !== at) || undefined}>
          <i className={styles.lent} style={{ height: barHeight(lent, tallest) }} />
          <i className={styles.borrowed} style={{ height: barHeight(borrowed, tallest) }} />
        </span>
      ))}
    </span>
  )
}

/** Whatever there is can be seen. */
const barHeight = (asks: number, tallest: number): string => (asks === 0 ? '0' : `max(2px, ${(asks / tallest) * 100}%)`)
