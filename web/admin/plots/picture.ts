import type { DrawnSeries } from './plotData.ts'
import { tokenOf } from './plotted.ts'

const EDGE = 18
const LINE = 22

/** A plot as a PNG file, with its title and what its colours mean. */
export function plotPicture(
  plot: HTMLCanvasElement,
  title: string,
  series: readonly DrawnSeries[],
): Promise<Blob | null> {
  const ratio = window.devicePixelRatio
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const sans = color('--sans')
  const canvas = document.createElement('canvas')
  const width = plot.width / ratio + 2 * EDGE
  const rows = rowsOf(series, width - 2 * EDGE)
  canvas.width = width * ratio
  canvas.height = plot.height + (EDGE * 2 + LINE * (rows.length + 1)) * ratio
  const paint = canvas.getContext('2d')
  if (paint === null) return Promise.resolve(null)
  paint.fillStyle = color('--sheet')
  paint.fillRect(0, 0, canvas.width, canvas.height)
  paint.drawImage(plot, EDGE * ratio, (EDGE + LINE) * ratio)
  paint.scale(ratio, ratio)
  paint.textBaseline = 'middle'
  paint.fillStyle = color('--ink')
  paint.font = `600 14px ${sans}`
  paint.fillText(title, EDGE, EDGE + LINE / 2)
  paint.font = `12px ${sans}`
  rows.forEach((row, line) => {
    const y = EDGE + LINE + plot.height / ratio + LINE * (line + 0.5)
    for (const { x, label, slot } of row) {
      paint.fillStyle = color(tokenOf(slot))
      paint.fillRect(EDGE + x, y - 5, 10, 10)
      paint.fillStyle = color('--ink-2')
      paint.fillText(label, EDGE + x + 16, y)
    }
  })
  return new Promise(resolve => {
    canvas.toBlob(resolve, 'image/png')
  })
}

/** The approximate width of a wide letter at 12 px. */
const LETTER = 12

function rowsOf(series: readonly DrawnSeries[], width: number) {
  const rows: { x: number; label: string; slot: number | null }[][] = [[]]
  let x = 0
  for (const { label, slot } of series) {
    const takes = 34 + LETTER * label.length
    if (x > 0 && x + takes > width) {
      rows.push([])
      x = 0
    }
    rows.at(-1)?.push({ x, label, slot })
    x += takes
  }
  return rows
}
