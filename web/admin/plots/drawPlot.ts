import uPlot from 'uplot'
import { formatTimeOfDay } from '#web/foundation/times.ts'
import { DASHES, type DrawnSeries, type PlotData, type PlotKind, type PlotLook, stacked, tokenOf } from './plotData.ts'

const DAY = 86_400

type Tokens = { color(name: string): string; font: string }

/** The present values of CSS variables, which a canvas cannot read. */
function readTokens(): Tokens {
  const style = getComputedStyle(document.documentElement)
  return {
    color: name => style.getPropertyValue(name).trim(),
    font: `11px ${style.getPropertyValue('--sans').trim()}`,
  }
}

type DrawOptions = {
  look: PlotLook
  data: PlotData
  series: readonly DrawnSeries[]
  width: number
  height: number
  /** The bucket under the cursor, or null. */
  onCursor(bucket: number | null): void
  onZoom(zoomed: boolean): void
}

/** Draws into an element: the rules of the look for plots. */
export function drawPlot(target: HTMLElement, options: DrawOptions): uPlot {
  const { look, data, series, width, height, onCursor, onZoom } = options
  const tokens = readTokens()
  const half = data.step / 2
  const whole: [number, number] = [data.start, data.start + data.step * data.count]
  return new uPlot(
    {
      width,
      height,
      // Room at the right for half of the last label.
      padding: [10, 20, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: true, dist: 6 },
        points: { show: look.kind === 'lines', size: 8, width: 2, stroke: tokens.color('--sheet') },
      },
      scales: {
        // uPlot passes the outermost points for the whole range, and the dragged range for a part.
        x: {
          time: true,
          range: (_plot, min, max) => (min <= whole[0] + half && max >= whole[1] - half ? whole : [min, max]),
        },
        y: { range: (_plot, _min, max) => [0, max > 0 ? uPlot.rangeNum(0, max, 0.1, true)[1] : 1] },
      },
      axes: [timeAxis(tokens), valueAxis(tokens, look)],
      series: [{}, ...(look.kind === 'lines' ? lines(series, tokens) : columns(series, tokens))],
      hooks: {
        setCursor: [
          plot => onCursor(plot.cursor.left === undefined || plot.cursor.left < 0 ? null : (plot.cursor.idx ?? null)),
        ],
        setScale: [
          (plot, key) => {
            const { min, max } = plot.scales.x ?? {}
            if (key === 'x') onZoom(min !== undefined && max !== undefined && (min > whole[0] || max < whole[1]))
          },
        ],
      },
    },
    plotValues(look.kind, data, series),
    target,
  )
}

/**
 * The data for uPlot: the middles of the buckets, then each series. Stacked columns are drawn from the highest down,
 * one in front of the other.
 */
export function plotValues(kind: PlotKind, data: PlotData, series: readonly DrawnSeries[]): uPlot.AlignedData {
  const times = Array.from({ length: data.count }, (_, at) => data.start + data.step * (at + 0.5))
  const values = kind === 'lines' ? series.map(one => [...one.values]) : stacked(series).toReversed()
  return [times, ...values]
}

function lines(series: readonly DrawnSeries[], tokens: Tokens): uPlot.Series[] {
  return series.map(({ slot, values }) => {
    const color = tokens.color(tokenOf(slot))
    return {
      stroke: color,
      width: 1.75,
      dash: [...(DASHES[(slot ?? 0) % DASHES.length] ?? [])],
      spanGaps: true,
      // One moment alone has no line.
      points: { show: values.filter(value => value !== null).length < 3, size: 6, fill: color },
    }
  })
}

function columns(series: readonly DrawnSeries[], tokens: Tokens): uPlot.Series[] {
  const paths = uPlot.paths.bars?.({ size: [0.66, 40], radius: 0.04 })
  return series.toReversed().map(({ slot }) => ({
    fill: tokens.color(tokenOf(slot)),
    // A thin gap around each column.
    stroke: tokens.color('--sheet'),
    width: 1,
    points: { show: false },
    ...(paths !== undefined && { paths }),
  }))
}

function timeAxis({ color, font }: Tokens): uPlot.Axis {
  return {
    stroke: color('--ink-3'),
    font,
    size: 26,
    gap: 6,
    space: 76,
    grid: { show: false },
    ticks: { show: false },
    border: { show: true, stroke: color('--line-2'), width: 1 },
    values: (_plot, splits, _axis, _space, step) => splits.map(seconds => timeLabel(new Date(seconds * 1000), step)),
  }
}

/** The day where the day changes, otherwise the time of day. */
function timeLabel(time: Date, step: number): string {
  const isMidnight = time.getHours() === 0 && time.getMinutes() === 0
  return step >= DAY || (isMidnight && step >= DAY / 4)
    ? `${time.getMonth() + 1}-${time.getDate()}`
    : formatTimeOfDay(time)
}

function valueAxis({ color, font }: Tokens, look: PlotLook): uPlot.Axis {
  return {
    stroke: color('--ink-3'),
    font,
    size: (_plot, values) => 14 + 6.5 * Math.max(2, ...(values ?? []).map(value => value.length)),
    gap: 6,
    space: 60,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    values: (_plot, splits) => splits.map(value => (value === 0 ? '0' : look.format(value))),
    // Only whole numbers of asks.
    ...(look.kind === 'columns' && {
      incrs: [1, 2, 5]
        .flatMap((_, at, digits) => [0, 1, 2, 3, 4, 5].map(power => (digits[at] ?? 1) * 10 ** power))
        .toSorted((a, b) => a - b),
    }),
  }
}
