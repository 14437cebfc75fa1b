import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
// Puts itself where the module above looks for it, so that it begins no worker of its own: this is one.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { BOUNDS, type PagePicture, type ReadingProgress } from '../reading.ts'
import { encoded } from '../pictures/encode.ts'
import type { AssetFolder } from '../protocol.ts'
import { sha256Of } from '../sha256.ts'
import { Unreadable } from '../unreadable.ts'
import { type TextRun, textOfPage } from './layout.ts'
import type { Pages } from './pages.ts'

export type PdfSource = {
  file: Blob
  password: string | null
  /** Brings a table of characters, a font or a decoder, which the worker itself cannot ask for. */
  bring(folder: AssetFolder, name: string): Promise<Uint8Array>
}

/** Pixels of a page for each of its points: a small page is not blown up without an end. */
const MAX_SCALE = 4

export async function readPdf(source: PdfSource, pages: Pages): Promise<void> {
  const pdf = await openPdf(source)
  try {
    const hasForm = await hasFields(pdf)
    for (let number = 1; number <= pdf.numPages; number++) {
      pages.next()
      const page = await pdf.getPage(number)
      pages.write(await textOf(page))
      if (hasForm) pages.write(await valuesOf(page))
      page.cleanup()
      pages.progress({ done: number, total: pdf.numPages })
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Draws pages one after another. A number that no page has is left out. */
export async function drawPdf(
  source: PdfSource & { pages: readonly number[]; maxPictureSide: number },
  onPage: (picture: PagePicture) => void,
  onProgress: (progress: ReadingProgress) => void,
): Promise<void> {
  const pdf = await openPdf(source)
  const numbers = source.pages.filter(number => Number.isInteger(number) && number >= 1 && number <= pdf.numPages)
  try {
    for (const [index, number] of numbers.entries()) {
      const page = await pdf.getPage(number)
      onPage(await drawn(page, number, source.maxPictureSide))
      page.cleanup()
      onProgress({ done: index + 1, total: numbers.length })
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

async function openPdf({ file, password, bring }: PdfSource): Promise<PDFDocumentProxy> {
  const task = pdfjs.getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    password: password ?? undefined,
    // Without the addresses it would not ask for anything; they stand for the folders.
    cMapUrl: 'cMapUrl/',
    standardFontDataUrl: 'standardFontDataUrl/',
    wasmUrl: 'wasmUrl/',
    useWorkerFetch: false,
    BinaryDataFactory: class {
      fetch({ kind, filename }: { kind: AssetFolder; filename: string }) {
        return bring(kind, filename)
      }
    },
    CanvasFactory: OffscreenCanvases,
    FilterFactory: NoFilters,
    // All that pdfjs asks of a document here.
    ownerDocument: { fonts: Reflect.get(globalThis, 'fonts') as FontFaceSet } as HTMLDocument,
    useSystemFonts: true,
    maxImageSize: BOUNDS.pixels,
    enableXfa: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
  try {
    return await task.promise
  } catch (cause) {
    await task.destroy()
    if (cause instanceof pdfjs.PasswordException)
      throw new Unreadable(password === null ? 'needsPassword' : 'wrongPassword', {}, { cause })
    throw new Unreadable('broken', {}, { cause })
  }
}

async function textOf(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  const runs: TextRun[] = []
  for (const item of items) {
    if (!('str' in item)) continue
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]: number[] = item.transform
    const size = Math.hypot(c, d) || Math.hypot(a, b)
    runs.push({ text: item.str, x, y, width: item.width, size })
  }
  const text = textOfPage(runs)
  return text === '' ? '' : `${text}\n`
}

/** Whether there is a form: then its values stand beside the text of the pages. */
async function hasFields(pdf: PDFDocumentProxy): Promise<boolean> {
  return (await pdf.getFieldObjects().catch(() => null)) !== null
}

async function valuesOf(page: PDFPageProxy): Promise<string> {
  const annotations: readonly Record<string, unknown>[] = await page.getAnnotations()
  return annotations
    .map(({ fieldName, alternativeText, fieldValue }) => {
      const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue
      if (typeof value !== 'string' || value.trim() === '' || value === 'Off') return ''
      return `${String(alternativeText || fieldName || '')}: ${value}\n`
    })
    .join('')
}

async function drawn(page: PDFPageProxy, number: number, side: number): Promise<PagePicture> {
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(MAX_SCALE, side / Math.max(width, height, 1))
  const viewport = page.getViewport({ scale })
  const canvas = new OffscreenCanvas(Math.max(1, Math.floor(viewport.width)), Math.max(1, Math.floor(viewport.height)))
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) throw new Unreadable('failed')
  // A canvas off the screen draws like one on it.
  const target = { canvasContext: context as unknown as CanvasRenderingContext2D, canvas: null }
  await page.render({ ...target, viewport, intent: 'print', background: 'white' }).promise
  const bytes = await encoded(canvas, { hasAlpha: false })
  return {
    number,
    type: bytes.type,
    bytes,
    width: canvas.width,
    height: canvas.height,
    sha256: await sha256Of(new Uint8Array(await bytes.arrayBuffer())),
  }
}

type CanvasAndContext = { canvas: OffscreenCanvas | null; context: OffscreenCanvasRenderingContext2D | null }

/** Canvases of a worker, which are no elements. */
class OffscreenCanvases {
  create(width: number, height: number): CanvasAndContext {
    if (width * height > BOUNDS.pixels) throw new Unreadable('tooManyPixels')
    const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height))
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) }
  }

  reset({ canvas }: CanvasAndContext, width: number, height: number): void {
    if (canvas !== null) Object.assign(canvas, { width: Math.max(1, width), height: Math.max(1, height) })
  }

  destroy(made: CanvasAndContext): void {
    this.reset(made, 1, 1)
    made.canvas = null
    made.context = null
  }
}

/** Filters are made of elements of SVG, which a worker has none of: a picture is drawn without them. */
class NoFilters {
  addFilter = () => 'none'
  addHCMFilter = () => 'none'
  addAlphaFilter = () => 'none'
  addLuminosityFilter = () => 'none'
  addKnockoutFilter = () => 'none'
  addHighlightHCMFilter = () => 'none'
  createSelectionStyle = () => null
  destroy = () => undefined
}
