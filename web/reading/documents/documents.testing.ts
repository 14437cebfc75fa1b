import type { PageText } from '../reading.ts'
import { openPacked } from './documents.ts'
import { openPages, type Pages } from './pages.ts'
import { readText } from './text.ts'

/** What a reader writes, page by page, and why it stopped before the end. */
export async function pagesOf(read: (pages: Pages) => unknown): Promise<{ pages: PageText[]; error: unknown }> {
  const gathered: PageText[] = []
  const pages = openPages({
    onText: pieces => {
      for (const piece of pieces) {
        const open = gathered.at(-1)
        if (open?.number === piece.number) open.text += piece.text
        else gathered.push({ ...piece })
      }
    },
    onProgress: () => undefined,
  })
  let error: unknown = null
  try {
    await read(pages)
  } catch (thrown) {
    error = thrown
  }
  pages.flush()
  return { pages: gathered, error }
}

/** The texts of the pages of an Office file, an OpenDocument or a book. */
export async function packedTexts(file: Blob): Promise<string[]> {
  const { pages, error } = await pagesOf(async into => (await openPacked(file)).read(into))
  if (error !== null) throw error
  return pages.map(({ text }) => text)
}

/** The text of a file of text. */
export async function plainText(
  content: BlobPart,
  format: 'text' | 'csv' | 'webPage' | 'markdown' | 'code' = 'text',
): Promise<string> {
  const { pages, error } = await pagesOf(into => readText(new Blob([content]), format, into))
  if (error !== null) throw error
  return pages.map(({ text }) => text).join('')
}
