import type { DrawnSeries } from './plotData.ts'
import { DASHES, type PlotKind, tokenOf } from './plotted.ts'

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
export function plotPicture(plot: HTMLCanvasElement, { title, span, kind, series }: Pictured): Promise<Blob | null> {
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

type Mark = { x: number; y: number; kind: PlotKind; slot: number | null; color: string }

/** As in the legend: a piece of the line with its dashes, or a square. */
function paintMark(paint: CanvasRenderingContext2D, { x, y, kind, slot, color }: Mark): void {
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
