import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { AskPlot, RequestPlot } from '#contract/statistics.ts'
import { PlotCard } from '#web/admin/plots/PlotCard.tsx'
import type { PlotData } from '#web/admin/plots/plotData.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import { IconChevronDown } from '#web/kit/icons.ts'
import { type Granularities, GRANULARITIES } from './granularity.ts'
import { peopleQuery } from './queries.ts'
import styles from './system.module.css'

const COUNTED = { kind: 'columns', format: (count: number) => Math.round(count).toLocaleString('en-US') } as const
const COUNTED_LINES = { ...COUNTED, kind: 'lines' } as const
const TIMED = { kind: 'lines', format: milliseconds } as const

/** Questions by model. */
export function AskPlotCard({ granularities, plot }: { granularities: Granularities; plot: AskPlot | undefined }) {
  const t = useTranslate()
  const nameOf = useModelName()
  const data = useMemo(
    () =>
      plot && {
        ...bucketsOf(plot),
        series: plot.series.map(({ source, model, asks }) => ({
          key: `${source} ${model}`,
          label:
            source === null || model === null
              ? t('plots.others')
              : source === 'openai_api'
                ? `API ${nameOf(model)}`
                : nameOf(model),
          sums: asks,
        })),
      },
    [plot, nameOf, t],
  )
  return (
    <PlotCard title={t('system.plot.asks')} look={COUNTED} data={data} under={AskPeople}>
      <GranularityMenu granularities={granularities} />
    </PlotCard>
  )
}

/** Requests by path: how long they take, or how many they are. */
export function RequestPlotCard({
  granularities,
  plot,
}: {
  granularities: Granularities
  plot: RequestPlot | undefined
}) {
  const t = useTranslate()
  const [shown, setShown] = useState<'time' | 'count'>('time')
  const data = useMemo(
    () =>
      plot && {
        ...bucketsOf(plot),
        series: plot.series.map(({ method, route_path, requests, elapsed_ms }) => ({
          key: `${method} ${route_path}`,
          label: method === null || route_path === null ? t('plots.others') : `${method} ${route_path}`,
          ...(shown === 'time' ? { sums: elapsed_ms, counts: requests } : { sums: requests }),
        })),
      },
    [plot, shown, t],
  )
  return (
    <PlotCard
      title={t('system.plot.requests')}
      look={shown === 'time' ? TIMED : COUNTED_LINES}
      data={data}
      under={RequestPeople}
    >
      <GranularityMenu granularities={granularities} />
      <SegmentedControl
        className={styles.measure}
        aria-label={t('system.plot.measure')}
        data={(['time', 'count'] as const).map(value => ({ value, label: t(`system.plot.${value}`) }))}
        value={shown}
        onChange={setShown}
      />
    </PlotCard>
  )
}

function bucketsOf({ start, granularity, count }: AskPlot | RequestPlot): Omit<PlotData, 'series'> {
  return { start: Date.parse(start) / 1000, step: granularity, count }
}

/** Milliseconds in words: below a second as they are. */
function milliseconds(value: number): string {
  if (value < 10) return `${Number(value.toPrecision(2))} ms`
  return value < 1000 ? `${Math.round(value)} ms` : `${Number((value / 1000).toPrecision(2))} s`
}

/** Milliseconds that the cursor must rest on a bucket before its people are fetched. */
const RESTS_FOR = 250

type Bucket = { data: PlotData; bucket: number }

function AskPeople(of: Bucket) {
  return <People of="asks" {...of} />
}

function RequestPeople(of: Bucket) {
  return <People of="requests" {...of} />
}

/** Who asked, or made requests. */
function People({ of, data, bucket }: Bucket & { of: 'asks' | 'requests' }) {
  const t = useTranslate()
  const [resting, setResting] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setResting(bucket), RESTS_FOR)
    return () => clearTimeout(timer)
  }, [bucket])
  const [from = '', to = ''] = [bucket, bucket + 1].map(at =>
    new Date((data.start + at * data.step) * 1000).toISOString(),
  )
  const isEmpty = data.series.every(({ sums }) => (sums[bucket] ?? 0) === 0)
  const { data: found } = useQuery({ ...peopleQuery(of, from, to), enabled: resting === bucket && !isEmpty })
  if (found === undefined || found.people.length === 0) return null
  const names = found.people.map(({ user_id, nickname, count }) =>
    t('system.personCount', { name: nickname ?? t(user_id === null ? 'system.signedOut' : 'system.gone'), count }),
  )
  const more = found.total - found.people.length
  return `${names.join(t('kit.comma'))}${more > 0 ? t('system.morePeople', { count: more }) : ''}`
}

/** How long a bucket of a plot is. */
function GranularityMenu({ granularities: { chosen, offered, choose } }: { granularities: Granularities }) {
  const t = useTranslate()
  const name = t(GRANULARITIES[chosen])
  return (
    <MenuButton
      label={t('system.granularity', { each: name })}
      className={styles.granularity}
      entries={offered.map(each => ({
        label: t(GRANULARITIES[each]),
        chosen: each === chosen,
        run: () => choose(each),
      }))}
    >
      {name}
      <IconChevronDown size={14} aria-hidden />
    </MenuButton>
  )
}
