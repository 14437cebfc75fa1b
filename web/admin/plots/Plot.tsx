import { useComputedColorScheme } from '@mantine/core'
import {
  type ComponentType,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type uPlot from 'uplot'
import { reportFailure } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { fileNameOf, saveFile } from '#web/transfer/exportedFile.ts'
import { drawPlot, plotValues } from './drawPlot.ts'
import { plotPicture } from './picture.ts'
import type { PlotData } from './plotData.ts'
import { type Plotted, shownSpan, DASHES, type PlotLook, spanText } from './plotted.ts'
import styles from './plots.module.css'

/** What the buttons of its card do. */
export type PlotHandle = { reset(): void; save(): void }

/** Says more about a bucket. */
export type UnderCursor = ComponentType<{ data: PlotData; bucket: number }>

export type PlotProps = {
  plotted: Plotted
  under: UnderCursor | undefined
  handle: Ref<PlotHandle>
  onZoom(zoomed: boolean): void
}

const HEIGHT = 286

/** The canvas of a plot and its legend. */
export function Plot({ plotted, under: Under, handle, onZoom }: PlotProps) {
  const { title, look, data, series } = plotted
  const frame = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [bucket, setBucket] = useState<number | null>(null)
  const shown = useMemo(() => series.filter(({ key }) => !hidden.has(key)), [series, hidden])
  const plot = usePlot(frame, { look, data, series: shown, onCursor: setBucket, onZoom })
  useImperativeHandle(handle, () => ({
    reset: () => plot.current?.setScale('x', { min: data.start, max: data.start + data.count * data.step }),
    save: () => {
      if (plot.current === null) return
      const { ctx, scales } = plot.current
      const span = shownSpan(scales.x?.min ?? data.start, scales.x?.max ?? data.start + data.count * data.step)
      plotPicture(ctx.canvas, { title, span, kind: look.kind, series: shown }).then(file => {
        if (file !== null) saveFile(fileNameOf(title, 'plot', 'png'), file)
      }, reportFailure)
    },
  }))
  const toggle = (key: string) => {
    const next = new Set(hidden)
    if (!next.delete(key)) next.add(key)
    setHidden(next)
  }
  return (
    <>
      <div ref={frame} className={styles.frame} role="img" aria-label={title} data-testid="plot" />
      <Legend plotted={plotted} hidden={hidden} bucket={bucket} onToggle={toggle} />
      {Under !== undefined && (
        <p className={styles.people}>{bucket !== null && <Under data={data} bucket={bucket} />}</p>
      )}
    </>
  )
}

type Drawn = Omit<Plotted, 'title'> & Pick<PlotProps, 'onZoom'> & { onCursor(bucket: number | null): void }

/** Creates the plot anew when the range, the series or the theme change; new values alone only update it. */
function usePlot(frame: RefObject<HTMLDivElement | null>, drawn: Drawn) {
  const plot = useRef<uPlot>(null)
  const theme = useComputedColorScheme('light')
  const { look, data, series } = drawn
  const names = JSON.stringify(series.map(({ key, slot }) => [key, slot]))
  const draw = useEffectEvent((target: HTMLElement) =>
    drawPlot(target, { ...drawn, width: target.clientWidth, height: HEIGHT }),
  )
  const values = useEffectEvent(() => plotValues(look.kind, data, series))
  useEffect(() => {
    const target = frame.current
    if (target === null) return
    const made = draw(target)
    plot.current = made
    const resized = new ResizeObserver(() => {
      if (target.clientWidth > 0 && target.clientWidth !== made.width)
        made.setSize({ width: target.clientWidth, height: HEIGHT })
    })
    resized.observe(target)
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [frame, look.kind, data.start, data.step, data.count, names, theme])
  useEffect(() => {
    const { min, max } = plot.current?.scales.x ?? {}
    plot.current?.setData(values(), false)
    // Adapts the y scale; a zoomed range stays.
    if (min != null && max != null) plot.current?.setScale('x', { min, max })
  }, [series])
  return plot
}

type LegendProps = {
  plotted: Plotted
  hidden: ReadonlySet<string>
  /** The bucket under the cursor, whose values are shown; null: values of the whole range. */
  bucket: number | null
  onToggle(key: string): void
}

/** The names and values of the series. A click hides one. */
function Legend({ plotted: { look, data, series }, hidden, bucket, onToggle }: LegendProps) {
  const t = useTranslate()
  return (
    <div className={styles.legend} role="group" aria-label={t('plots.legend')}>
      {series.map(one => {
        const value = bucket === null ? one.whole : (one.values[bucket] ?? null)
        return (
          <button key={one.key} type="button" aria-pressed={!hidden.has(one.key)} onClick={() => onToggle(one.key)}>
            <Mark slot={one.slot} kind={look.kind} />
            {one.label}
            <b>{value === null ? '–' : look.format(value)}</b>
          </button>
        )
      })}
      {/* Keeps its room: nothing moves while the cursor comes and goes. */}
      <span className={styles.time} hidden={bucket === null}>
        {spanText(data, bucket ?? data.count - 1)}
      </span>
    </div>
  )
}

const COLORS = [styles.s1, styles.s2, styles.s3, styles.s4, styles.s5, styles.s6, styles.s7, styles.s8]

/** A piece of the line with its dashes, or a square. */
function Mark({ slot, kind }: { slot: number | null; kind: PlotLook['kind'] }) {
  const color = slot === null ? styles.other : COLORS[slot]
  return (
    <svg className={`${styles.mark} ${color}`} viewBox="0 0 18 10" aria-hidden>
      {kind === 'columns' ? (
        <rect x="4" width="10" height="10" rx="2" fill="currentColor" />
      ) : (
        <path
          d="M0 5h18"
          stroke="currentColor"
          strokeWidth="2"
          strokeDasharray={DASHES[(slot ?? 0) % DASHES.length]?.join(' ')}
        />
      )}
    </svg>
  )
}
