import { BOUNDS, type PageText, type ReadingProgress } from '../reading.ts'
import { Unreadable } from '../unreadable.ts'

/** Where a reader puts the text of a document, page by page, in its order. */
export type Pages = {
  /** Begins the next page. Text before the first is of page 1. */
  next(label?: string): void
  write(text: string): void
  /** Whether the page that is open has any text yet. */
  isEmpty(): boolean
  /** Counts cells of tables, also those that are empty and written. */
  countCells(count: number): void
  progress(progress: ReadingProgress): void
}

export type PagesReport = {
  onText(pieces: PageText[]): void
  onProgress(progress: ReadingProgress): void
}

/** Characters that are sent to the page at once, at most: it is not to be held up by them. */
const PIECE = 50_000
/** Milliseconds between two reports. */
const REPORT_EVERY = 100

/** Gathers text, and sends it on in pieces; refuses what is beyond the bounds. */
export function openPages({ onText, onProgress }: PagesReport, now: () => number = () => performance.now()) {
  let number = 0
  let label: string | undefined
  let open: string[] = []
  let isEmpty = true
  let waiting: PageText[] = []
  let size = 0
  const counted = { characters: 0, cells: 0 }
  let reported = 0

  const close = () => {
    const text = open.join('')
    open = []
    if (number > 0) waiting.push(label === undefined ? { number, text } : { number, text, label })
  }
  const send = () => {
    if (waiting.length > 0) onText(waiting)
    waiting = []
    size = 0
    reported = now()
  }
  const sendWhenDue = () => {
    if (size < PIECE && now() - reported < REPORT_EVERY) return
    if (open.length > 0) close()
    send()
  }
  const next: Pages['next'] = nextLabel => {
    if (number >= BOUNDS.pages) throw new Unreadable('tooManyPages', { most: BOUNDS.pages })
    if (number > 0) close()
    number += 1
    label = nextLabel
    isEmpty = true
  }
  const pages: Pages & { flush(): void } = {
    next,
    write(text) {
      if (text === '') return
      if (number === 0) next()
      const room = BOUNDS.characters - counted.characters
      const taken = text.length > room ? text.slice(0, room) : text
      for (let at = 0; at < taken.length; at += PIECE) {
        const piece = taken.slice(at, at + PIECE)
        open.push(piece)
        size += piece.length
        sendWhenDue()
      }
      isEmpty &&= taken.trim() === ''
      counted.characters += taken.length
      if (taken.length < text.length) throw new Unreadable('tooMuchText', { most: BOUNDS.characters })
    },
    isEmpty: () => isEmpty,
    countCells(count) {
      counted.cells += count
      if (counted.cells > BOUNDS.cells) throw new Unreadable('tooManyCells', { most: BOUNDS.cells })
    },
    progress(progress) {
      if (now() - reported < REPORT_EVERY) return
      if (open.length > 0) close()
      send()
      onProgress(progress)
    },
    /** Sends what is left. */
    flush() {
      close()
      send()
    },
  }
  return pages
}
