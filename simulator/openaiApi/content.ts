import { isRecord } from '../foundation/http.ts'
import { pictureIn, type SeenPicture } from './seenPictures.ts'

/** A document within a text. `pages` as the text says it; null where it has none. */
export type SeenDocument = { name: string; pages: string | null; beginning: string }

/** What a message says, without its documents, and what goes with it. */
export type Content = { text: string; pictures: SeenPicture[]; documents: SeenDocument[] }

/** A document stands between `<document-… name="…" pages="…">` and the same name once more. */
const DOCUMENT = /<document-([0-9a-f]{8,64}) name="([^"]*)"(?: pages="([^"]*)")?>\n?([\s\S]*?)<\/document-\1>\s*/g
const BEGINNING = 60

const nothing = (): Content => ({ text: '', pictures: [], documents: [] })

/** The content of a message as the upstream takes it: a text or parts. Undefined for a part that it does not know. */
export function readContent(content: unknown): Content | undefined {
  if (typeof content === 'string') return withDocuments(nothing(), content)
  if (!Array.isArray(content)) return undefined
  const read = nothing()
  for (const part of content) {
    if (!isRecord(part) || !readPart(read, part)) return undefined
  }
  return read
}

function readPart(read: Content, part: Record<string, unknown>): boolean {
  if (typeof part.text === 'string') return withDocuments(read, part.text) === read
  if (part.type === 'image_url') {
    const picture =
      isRecord(part.image_url) && typeof part.image_url.url === 'string' ? pictureIn(part.image_url.url) : null
    if (picture !== null) read.pictures.push(picture)
    return picture !== null
  }
  if (part.type !== 'file' || !isRecord(part.file)) return false
  const { filename, file_data } = part.file
  const [, base64] = typeof file_data === 'string' ? file_data.split(',', 2) : []
  if (base64 === undefined) return false
  const beginning = Buffer.from(base64.slice(0, 80), 'base64').toString('latin1')
  read.documents.push({ name: String(filename), pages: null, beginning: line(beginning) })
  return true
}

function withDocuments(read: Content, text: string): Content {
  const rest = text.replace(DOCUMENT, (_all, _fence, name: string, pages: string | undefined, words: string) => {
    read.documents.push({ name, pages: pages ?? null, beginning: line(words) })
    return ''
  })
  const words = rest === text ? rest : rest.trim()
  read.text += (read.text === '' || words === '' ? '' : '\n\n') + words
  return read
}

const line = (words: string): string =>
  words
    .replace(/\[page \d+\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, BEGINNING)

const TEXTS = {
  chinese: {
    pictures: '看到 {count} 张图片：',
    documents: '读了 {count} 个文件：',
    colours: '，主要颜色：{colours}',
    pages: '，第 {pages} 页',
    begins: '，开头是“{beginning}”',
    size: '{type}，{width} × {height} 像素',
  },
  english: {
    pictures: 'I see {count} pictures:',
    documents: 'I have read {count} documents:',
    colours: ', mostly {colours}',
    pages: ', pages {pages}',
    begins: ', which begins “{beginning}”',
    size: '{type}, {width} x {height} pixels',
  },
}

/** What the model sees and reads, in words; blank where there is neither. */
export function seenIn({ pictures, documents }: Content, language: keyof typeof TEXTS): string {
  const texts = TEXTS[language]
  const filled = (text: string, values: Record<string, string | number>) =>
    text.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? '?'))
  const listed = (heading: string, lines: string[]) =>
    lines.length === 0
      ? ''
      : [filled(heading, { count: lines.length }), '', ...lines.map((each, at) => `${at + 1}. ${each}`)].join('\n')
  const seen = pictures.map(
    ({ type, width, height, colours }) =>
      filled(texts.size, { type, width: width ?? '?', height: height ?? '?' }) +
      (colours.length === 0 ? '' : filled(texts.colours, { colours: colours.join(', ') })),
  )
  const read = documents.map(
    ({ name, pages, beginning }) =>
      `${name}${pages === null ? '' : filled(texts.pages, { pages })}${filled(texts.begins, { beginning })}`,
  )
  return [listed(texts.pictures, seen), listed(texts.documents, read)].filter(each => each !== '').join('\n\n')
}

/** More in one request are refused. */
const MAX_PICTURES = 20

/** How the upstream refuses pictures: of a model that sees none, or too many of them. Null: it takes them. */
export function pictureRefusal(model: string, count: number): string | null {
  if (count === 0) return null
  if (/^(?:gpt-3\.5|blind)/.test(model)) return 'Invalid content type. image_url is only supported by certain models.'
  return count > MAX_PICTURES ? `Too many images in request: ${count}. The maximum is ${MAX_PICTURES} images.` : null
}
