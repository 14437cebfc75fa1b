import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconArrowBackUp, IconDownload, IconList } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { drawnSeries, type DrawnSeries, type PlotData, type PlotLook, type Slots, spanText } from './plotData.ts'
import type { PlotHandle, PlotProps, UnderCursor } from './Plot.tsx'
import styles from './plots.module.css'

/** Loaded together with the plotting library. */
const Plot = lazyComponent<PlotProps>(() => import('./Plot.tsx').then(module => module.Plot))

type PlotCardProps = {
  title: string
  look: PlotLook
  /** Undefined until it is known. */
  data: PlotData | undefined
  /** Beside the title: granularity and the like. */
  children?: ReactNode
  /** Below the legend: more about the bucket under the cursor. */
  under?: UnderCursor
}

/** A plot with its legend, and the same as a table. */
export function PlotCard({ title, look, data, children, under }: PlotCardProps) {
  const t = useTranslate()
  const [asTable, setAsTable] = useState(false)
  const [zoomed, setZoomed] = useState(false)
  const plot = useRef<PlotHandle>(null)
  const [slots] = useState<Slots>(() => new Map())
  const series = useMemo(
    () => (data === undefined ? [] : drawnSeries(data, slots, t('plots.others'))),
    [data, slots, t],
  )
  const isEmpty = series.every(({ whole }) => (whole ?? 0) === 0)
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {children}
        {!isEmpty && (
          <span className={styles.tools}>
            {zoomed && !asTable && (
              <Tool label={t('plots.reset')} onClick={() => plot.current?.reset()}>
                <IconArrowBackUp size={16} aria-hidden />
              </Tool>
            )}
            {!asTable && (
              <Tool label={t('plots.picture')} onClick={() => plot.current?.save()}>
                <IconDownload size={16} aria-hidden />
              </Tool>
            )}
            <Tool label={t('plots.table')} pressed={asTable} onClick={() => setAsTable(!asTable)}>
              <IconList size={16} aria-hidden />
            </Tool>
          </span>
        )}
      </header>
      <div className={styles.body}>
        {data === undefined || isEmpty ? (
          <p className={styles.empty}>{data !== undefined && t('plots.empty')}</p>
        ) : asTable ? (
          <PlotTable title={title} look={look} data={data} series={series} />
        ) : (
          <Plot
            plotted={{ title, look, data, series }}
            under={under}
            handle={plot}
            onZoom={setZoomed}
            fallback={<div className={styles.frame} />}
            onLoadError={() => setAsTable(true)}
          />
        )}
      </div>
    </section>
  )
}

type ToolProps = { label: string; pressed?: boolean; onClick(): void; children: ReactNode }

function Tool({ label, pressed, onClick, children }: ToolProps) {
  return (
    <IconButton label={label} size={28} aria-pressed={pressed} onClick={onClick}>
      {children}
    </IconButton>
  )
}

type PlotTableProps = { title: string; look: PlotLook; data: PlotData; series: readonly DrawnSeries[] }

/** The same as the plot, for whoever reads numbers: the latest first, and only buckets in which there was something. */
function PlotTable({ title, look, data, series }: PlotTableProps) {
  const t = useTranslate()
  const show = (value: number | null | undefined) => (value === null || value === undefined ? '–' : look.format(value))
  const buckets = Array.from({ length: data.count }, (_, at) => data.count - 1 - at).filter(at =>
    series.some(({ values }) => (values[at] ?? 0) !== 0),
  )
  return (
    <div className={styles.table} data-testid="plot-table">
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t('plots.time')}</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map(at => (
            <tr key={at}>
              <th scope="row">{spanText(data, at)}</th>
              {series.map(({ key, values }) => (
                <td key={key}>{show(values[at])}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('plots.whole')}</th>
            {series.map(({ key, whole }) => (
              <td key={key}>{show(whole)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
