/** What becomes of a file that a person attaches, and that a worker in the browser reads. */
export type Reading = ReadPicture | ReadDocument | RefusedFile

/** A picture as it is shown, stored and sent: upright, of a bounded size, and without what the camera noted in it. */
export type ReadPicture = {
  kind: 'picture'
  name: string
  type: string
  bytes: Blob
  width: number
  height: number
  /** Of these bytes: the same picture twice has the same. */
  sha256: string
  thumbnail: Blob
  /** Of a moving picture, of which the first frame is kept, as models see no other. */
  frames: number
}

/** A document: the file as it came, and its text. */
export type ReadDocument = {
  kind: 'document'
  name: string
  type: string
  format: DocumentFormat
  bytes: Blob
  sha256: string
  pages: PageText[]
  /** False of a scan: its pages can be had as pictures. */
  hasText: boolean
  /** Why not all of it was read; what was read by then is there. */
  isPartial: PartialReason | null
}

export type RefusedFile = { kind: 'refused'; name: string; reason: ReadingRefusal; values: ReadingValues }

export type ReadingValues = Readonly<Record<string, string | number>>

export type DocumentFormat =
  | 'pdf'
  | 'word'
  | 'sheet'
  | 'slides'
  | 'book'
  | 'mail'
  | 'webPage'
  | 'markdown'
  | 'csv'
  | 'code'
  | 'text'

/** Markdown, of one page. What has no pages of its own - a text, a web page - is one. `label`: the name of a sheet. */
export type PageText = { number: number; text: string; label?: string }

/** Why a document was read in part. Each is a refusal too, when nothing had been read by then. */
export const PARTIAL_REASONS = [
  'tookTooLong',
  'tooManyPages',
  'tooManyCells',
  'tooMuchText',
  'unpacksTooLarge',
  'broken',
] as const
export type PartialReason = (typeof PARTIAL_REASONS)[number]

/** Why a file is not read. web/i18n/reading.ts has their texts. */
export type ReadingRefusal =
  | PartialReason
  | 'empty'
  | 'tooLarge'
  | 'needsPassword'
  | 'wrongPassword'
  | 'encrypted'
  | 'oldOffice'
  | 'notTaken'
  | 'cannotDecode'
  | 'cannotDecodeHeic'
  | 'tooManyPixels'
  | 'tooManyFrames'
  | 'failed'

/** A page of a document as it is laid out. */
export type PagePicture = { number: number; type: string; bytes: Blob; width: number; height: number; sha256: string }

export type ReadingProgress = {
  /** Of `total`: pages, or kilobytes where there are none. Null while nobody knows how many there are. */
  done: number
  total: number | null
}

export type ReadingOptions = {
  /** Pixels: models look at no more, and a larger picture is scaled down. */
  maxPictureSide?: number
  /** Of a document that has one. */
  password?: string
  signal?: AbortSignal
  onProgress?(progress: ReadingProgress): void
}

export const MAX_PICTURE_SIDE = 2_048

/** What a file may ask of the browser. Counted by our own code, whatever a library would take. */
export const BOUNDS = {
  /** Bytes of a file; larger ones are refused before anything of them is read. */
  file: 100 * 1024 * 1024,
  /** Bytes that come out of an archive. */
  unpacked: 100 * 1024 * 1024,
  /** Files in an archive. */
  entries: 20_000,
  pages: 2_000,
  cells: 500_000,
  /** Characters of text. */
  characters: 10_000_000,
  /** A decoded picture takes four bytes for each. Pictures of large telephones have 50 million. */
  pixels: 51_000_000,
  frames: 500,
} as const

/** Milliseconds without progress, and in all, after which a worker is ended. Loading its scripts is no silence. */
export const DEADLINES = { silence: 20_000, all: 120_000 } as const
