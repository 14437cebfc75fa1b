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
import { saveFile } from '#web/foundation/saveFile.ts'
import { fileNameOf } from '#web/transfer/exportedFile.ts'
import { drawPlot, plotValues } from './drawPlot.ts'
import {
  DASHES,
  type DrawnSeries,
  type PlotData,
  type PlotKind,
  type PlotLook,
  type Plotted,
  shownSpan,
  spanText,
  tokenOf,
} from './plotData.ts'
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

/** Around the whole; a line of text; the mark of a series, and what is between two of them. */
const [EDGE, LINE, MARK, GAP] = [18, 22, 24, 18]

type Pictured = {
  title: string
  /** From when to when it is. */
  span: string
  kind: PlotKind
  series: readonly DrawnSeries[]
}

/** A plot as a PNG file, with its title, its time and what its colours mean. */
function plotPicture(plot: HTMLCanvasElement, { title, span, kind, series }: Pictured): Promise<Blob | null> {
  const ratio = window.devicePixelRatio
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const sans = color('--sans')
  const canvas = document.createElement('canvas')
  const paint = canvas.getContext('2d')
  if (paint === null) return Promise.resolve(null)
  const width = plot.width / ratio + 2 * EDGE
  paint.font = `12px ${sans}`
  const rows = rowsOf(series, width - 2 * EDGE, label => paint.measureText(label).width)
  // Another size clears the canvas and what was set of it.
  canvas.width = width * ratio
  canvas.height = plot.height + (EDGE * 2 + LINE * (rows.length + 1)) * ratio
  paint.fillStyle = color('--sheet')
  paint.fillRect(0, 0, canvas.width, canvas.height)
  paint.drawImage(plot, EDGE * ratio, (EDGE + LINE) * ratio)
  paint.scale(ratio, ratio)
  paint.textBaseline = 'middle'
  paint.fillStyle = color('--ink')
  paint.font = `600 14px ${sans}`
  paint.fillText(title, EDGE, EDGE + LINE / 2)
  paint.font = `12px ${sans}`
  paint.fillStyle = color('--ink-3')
  paint.textAlign = 'right'
  paint.fillText(span, width - EDGE, EDGE + LINE / 2)
  paint.textAlign = 'left'
  rows.forEach((row, line) => {
    const y = EDGE + LINE + plot.height / ratio + LINE * (line + 0.5)
    for (const { x, label, slot } of row) {
      paintMark(paint, { x: EDGE + x, y, kind, slot, color: color(tokenOf(slot)) })
      paint.fillStyle = color('--ink-2')
      paint.fillText(label, EDGE + x + MARK, y)
    }
  })
  return new Promise(resolve => {
    canvas.toBlob(resolve, 'image/png')
  })
}

type DrawnMark = { x: number; y: number; kind: PlotKind; slot: number | null; color: string }

/** As in the legend: a piece of the line with its dashes, or a square. */
function paintMark(paint: CanvasRenderingContext2D, { x, y, kind, slot, color }: DrawnMark): void {
  paint.fillStyle = color
  if (kind === 'columns') return paint.fillRect(x + 4, y - 5, 10, 10)
  paint.strokeStyle = color
  paint.lineWidth = 2
  paint.setLineDash([...(DASHES[(slot ?? 0) % DASHES.length] ?? [])])
  paint.beginPath()
  paint.moveTo(x, y)
  paint.lineTo(x + 18, y)
  paint.stroke()
}

function rowsOf(series: readonly DrawnSeries[], width: number, widthOf: (label: string) => number) {
  const rows: { x: number; label: string; slot: number | null }[][] = [[]]
  let x = 0
  for (const { label, slot } of series) {
    const takes = MARK + widthOf(label)
    if (x > 0 && x + takes > width) {
      rows.push([])
      x = 0
    }
    rows.at(-1)?.push({ x, label, slot })
    x += takes + GAP
  }
  return rows
}
