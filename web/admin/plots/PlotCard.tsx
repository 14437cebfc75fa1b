import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconArrowBackUp, IconDownload, IconList } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import type { PlotLook } from './plotted.ts'
import type { PlotHandle, PlotProps, UnderCursor } from './Plot.tsx'
import { drawnSeries, type PlotData, type Slots } from './plotData.ts'
import styles from './plots.module.css'
import { PlotTable } from './PlotTable.tsx'

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
