/** How many tokens what goes with a question takes, estimated: by the server for what fits, by the page to say it. */
import type { KeptAttachment } from './messages.ts'
import { pagesIn } from './pages.ts'
import { pictureTokens } from './pictureTokens.ts'

/** Of a page that is looked at: upright, as browsers draw it within 2,048 px. */
const PAGE = { width: 1_448, height: 2_048 }
/** Of a page of a file whose text nobody has read. */
const PAGE_TOKENS = 700
/** The name and the frame of a document. */
const FRAME_TOKENS = 40
/** Bytes of a file of unknown length that are about a token. */
const BYTES_OF_TOKEN = 4

type Measured = Pick<KeptAttachment, 'as' | 'size' | 'width' | 'height' | 'detail' | 'pages' | 'page_count'> & {
  /** Of the text of the whole document, as it was counted; null where it has none. */
  tokens?: number | null | undefined
}

/** `model`: as for `pictureTokens`. */
export function attachmentTokens(attachment: Measured, model: string): number {
  const { as, width = null, height = null, detail, pages, page_count = null } = attachment
  const shown = page_count === null ? 1 : pagesIn(pages, page_count).length
  if (as === 'picture') {
    const sides = page_count === null ? { width, height } : PAGE
    return shown * pictureTokens({ ...sides, detail: detail ?? 'auto' }, model)
  }
  const text = textTokens(attachment, shown)
  // Endpoints read the text of a file, and look at each of its pages.
  const looked =
    as === 'file' && page_count !== null ? page_count * pictureTokens({ ...PAGE, detail: 'auto' }, model) : 0
  return FRAME_TOKENS + text + looked
}

function textTokens({ as, size, page_count = null, tokens = null }: Measured, shown: number): number {
  const share = as === 'file' || page_count === null || page_count === 0 ? 1 : shown / page_count
  if (tokens !== null) return Math.ceil(tokens * share)
  if (page_count !== null) return Math.ceil(page_count * PAGE_TOKENS * share)
  return Math.ceil((size ?? 0) / BYTES_OF_TOKEN)
}
