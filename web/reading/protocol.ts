import type {
  DocumentFormat,
  PagePicture,
  PageText,
  PartialReason,
  ReadingProgress,
  ReadingRefusal,
  ReadingValues,
  ReadPicture,
} from './reading.ts'

/** What the page asks the worker for, once; then it only brings the assets that the worker wants. */
export type ReadingRequest =
  | { kind: 'read'; file: Blob; name: string; type: string; maxPictureSide: number; password: string | null }
  | { kind: 'draw'; file: Blob; pages: readonly number[]; maxPictureSide: number; password: string | null }

export type BroughtAsset = { kind: 'asset'; id: number; bytes: ArrayBuffer | null }

/** Tables and programs of pdfjs that only some documents need, by its own names for their folders. */
export type AssetFolder = 'cMapUrl' | 'standardFontDataUrl' | 'wasmUrl'

/** Of a document, as soon as it is known to be one. */
export type DocumentHead = { format: DocumentFormat; type: string; sha256: string }

/** What the worker answers: any number of the first ones, and one of the last three. */
export type ReadingResponse =
  /** A library is about to be loaded, which takes as long as the network does. */
  | { kind: 'loading' }
  | ({ kind: 'progress' } & ReadingProgress)
  | ({ kind: 'head' } & DocumentHead)
  /** Further text, that of a page in one or several pieces, in their order. */
  | { kind: 'text'; pieces: PageText[] }
  | { kind: 'pagePicture'; picture: PagePicture }
  | { kind: 'wantsAsset'; id: number; folder: AssetFolder; name: string }
  | { kind: 'picture'; picture: Omit<ReadPicture, 'kind' | 'name'> }
  | { kind: 'done'; partial: PartialReason | null }
  | { kind: 'refused'; reason: ReadingRefusal; values: ReadingValues }
