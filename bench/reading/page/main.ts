// Makes files and reads them as the composer does. The benchmark asks for them by their names.
import { aLongPdf, aWorkbook } from '#web/reading/files.testing.ts'
import { pagesAsPictures, readFile } from '#web/reading/readFile.ts'

const FILES: Record<string, () => File | Promise<File>> = {
  'text PDF, 24 pages': () => aLongPdf(24),
  'text PDF, 300 pages': () => aLongPdf(300),
  'sheet of 200,000 cells': () => aWorkbook({ Big: `<row>${'<c><v>12345.5</v></c>'.repeat(20)}</row>`.repeat(10_000) }),
  'photograph of 48 megapixels': () => aPhotograph(8_000, 6_000),
}

async function aPhotograph(width: number, height: number): Promise<File> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('there is no canvas')
  for (let at = 0; at < 400; at++) {
    context.fillStyle = `hsl(${at * 37} 60% 50%)`
    context.fillRect((at * 797) % width, (at * 613) % height, 900, 700)
  }
  return new File([await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })], 'IMG.jpg')
}

export type ReadFigures = { milliseconds: number; outcome: string; longest_task: number }

const made = new Map<string, File>()
let longest = 0
new PerformanceObserver(list => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
}).observe({ type: 'longtask' })

Object.assign(window, {
  /** Makes a file beforehand, which is no part of reading it. */
  async make(name: string): Promise<void> {
    const file = await FILES[name]?.()
    if (file !== undefined) made.set(name, file)
  },
  async read(name: string): Promise<ReadFigures> {
    const file = made.get(name)
    if (file === undefined) throw new Error(`there is no ${name}`)
    longest = 0
    const from = performance.now()
    const reading = await readFile(file)
    const milliseconds = performance.now() - from
    await new Promise(resolve => setTimeout(resolve, 200))
    return { milliseconds, longest_task: longest, outcome: outcomeOf(reading) }
  },
  async draw(name: string): Promise<ReadFigures> {
    const file = made.get(name)
    if (file === undefined) throw new Error(`there is no ${name}`)
    longest = 0
    const from = performance.now()
    const pictures = await pagesAsPictures(file, [1, 2, 3])
    const outcome = Array.isArray(pictures) ? `${pictures.length} pictures` : pictures.reason
    return { milliseconds: performance.now() - from, longest_task: longest, outcome }
  },
})

function outcomeOf(reading: Awaited<ReturnType<typeof readFile>>): string {
  if (reading.kind === 'refused') return reading.reason
  if (reading.kind === 'picture') return `${reading.width} x ${reading.height}`
  return `${reading.pages.length} pages, ${reading.pages.reduce((sum, { text }) => sum + text.length, 0)} characters`
}
