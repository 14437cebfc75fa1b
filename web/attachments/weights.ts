import type { AttachedAs } from '#contract/asking.ts'
import { ANSWER_SHARE } from '#contract/context.ts'
import type { ModelChoice } from '#contract/models.ts'
import { pictureTokens } from '#contract/pictureTokens.ts'
import { pagesIn, textOfPages } from '#contract/pages.ts'
import {
  type Content,
  type DocumentContent,
  type DraftAttachment,
  chosenForm,
  type Form,
  remediedForm,
} from './attachment.ts'

/** The tokens of an attachment in a form; null while nobody knows what is in it. An estimate. */
export function tokensOf(
  { content, size }: Pick<DraftAttachment, 'content' | 'size'>,
  { as, pages }: Form,
  model: string,
): number | null {
  if (content === null) return null
  if (content.kind === 'picture') return tokensOfPicture(content, model)
  if (as === 'picture') return pagesIn(pages, content.page_count ?? 1).length * tokensOfPicture(PAGE, model)
  if (content.tokens !== null) return textTokens(content, content.tokens, pages)
  return as === 'file' ? Math.ceil(size / BYTES_PER_TOKEN) : 0
}

/** Pixels of a page that is drawn, as nobody knows them before: A4. */
const PAGE = { width: 1_448, height: 2_048 }

export const tokensOfPicture = (sides: { width: number | null; height: number | null }, model: string): number =>
  pictureTokens({ ...sides, detail: 'auto' }, model)

/** Of a file that nobody has read here: an endpoint reads it itself. */
const BYTES_PER_TOKEN = 20

function textTokens({ page_tokens, page_count }: DocumentContent, tokens: number, pages: string | null): number {
  if (pages === null || page_count === null || page_count === 0) return tokens
  const wanted = pagesIn(pages, page_count)
  if (page_tokens === null) return Math.ceil((tokens * wanted.length) / page_count)
  return wanted.reduce((sum, page) => sum + (page_tokens[page - 1] ?? 0), 0)
}

/** What a question may have in all, beside the answer; null where the context of the model is not known. */
export const roomOf = ({ context_length }: Pick<ModelChoice, 'context_length'>): number | null =>
  context_length === null ? null : Math.floor(context_length * (1 - ANSWER_SHARE))

/** A model as the planning looks at it. */
export type Model = Pick<ModelChoice, 'code' | 'context_length' | 'takes_pictures' | 'takes_files'>

/** What can be done about an attachment that is too long. `tokens`: of it alone, then. */
export type Way =
  /** `is_first`: the first pages of all. */
  | { kind: 'pages'; pages: string; count: number; is_first: boolean; left_out: number; tokens: number }
  | { kind: 'text'; tokens: number }
  | { kind: 'model'; code: string; context_length: number; tokens: number }

export type Planned = {
  attachment: DraftAttachment
  /** How it goes with the question. */
  form: Form
  tokens: number | null
  /** Set where it is too long as it was chosen. */
  tooLong: { tokens: number; ways: Way[]; chosen: boolean } | null
}

export type Plan = {
  attachments: Planned[]
  /** Of all attachments, where known. */
  tokens: number
  /** What a question may have in all; null where not known. */
  room: number | null
  /** Whether something does not fit and nothing was chosen about it. */
  isOpen: boolean
}

/**
 * Which of the attachments are too long for the model, beginning with the one that weighs most, and what can be done
 * about them. Nothing is left out that nobody has chosen to leave out.
 */
export function planned(
  attachments: readonly DraftAttachment[],
  question: number,
  model: Model | null,
  others: readonly Model[],
): Plan {
  const room = model === null ? null : roomOf(model)
  const code = model?.code ?? ''
  const all = attachments.map((attachment): Planned => {
    const form = chosenForm(attachment)
    return { attachment, form, tokens: tokensOf(attachment, form, code), tooLong: null }
  })
  let total = question + sumOf(all)
  let isOpen = false
  for (const one of room === null ? [] : all.toSorted((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0))) {
    if (room === null || total <= room || isOpen) break
    const tokens = one.tokens ?? 0
    const ways = waysFor(one.attachment, { code, room: room - (total - tokens), total }, others)
    const form = remediedForm(one.attachment)
    one.tooLong = { tokens, ways, chosen: one.attachment.remedy !== null }
    if (one.attachment.remedy !== null) {
      one.form = form
      one.tokens = tokensOf(one.attachment, form, code)
      total += (one.tokens ?? 0) - tokens
    }
    isOpen = one.attachment.remedy === null
  }
  return { attachments: all, tokens: sumOf(all), room, isOpen: isOpen || (room !== null && total > room) }
}

const sumOf = (all: readonly Planned[]): number => all.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)

/** Of the model called `code`. `room` is what the others leave, `total` what the question takes as it was chosen. */
type Space = { code: string; room: number; total: number }

/** The cheapest first. */
function waysFor(attachment: DraftAttachment, { code, room, total }: Space, others: readonly Model[]): Way[] {
  const { content } = attachment
  const form = chosenForm(attachment)
  const ways: Way[] = []
  if (content?.kind === 'document') {
    const pages = firstPages(attachment, form, { code, room })
    if (pages !== null) ways.push(pages)
    const tokens = tokensOf(attachment, { as: 'text', pages: form.pages }, code)
    if (form.as !== 'text' && content.tokens !== null && tokens !== null && tokens <= room)
      ways.push({ kind: 'text', tokens })
  }
  const larger = others.find(
    other => takes(other, form.as) !== false && other.context_length !== null && (roomOf(other) ?? 0) >= total,
  )
  if (larger !== undefined && larger.context_length !== null) {
    const { context_length } = larger
    const tokens = tokensOf(attachment, form, larger.code) ?? 0
    ways.push({ kind: 'model', code: larger.code, context_length, tokens })
  }
  return ways.toSorted((a, b) => a.tokens - b.tokens)
}

/** As many of its pages, from the first on, as have room; null where not even the first has, or there are no pages. */
function firstPages(
  attachment: DraftAttachment,
  { as, pages }: Form,
  { code, room }: Omit<Space, 'total'>,
): Way | null {
  const { content } = attachment
  if (content?.kind !== 'document' || as === 'file' || (content.page_count ?? 1) < 2) return null
  const wanted = pagesIn(pages, content.page_count ?? 1)
  const tokensOfFirst = (count: number) =>
    tokensOf(attachment, { as, pages: textOfPages(wanted.slice(0, count)) }, code) ?? 0
  const fits = (count: number) => tokensOfFirst(count) <= room
  let count = 0
  // The first pages cannot have fewer tokens than fewer of them, so half of what is left is tried each time.
  for (let step = 2 ** Math.ceil(Math.log2(wanted.length)); step >= 1; step /= 2)
    if (count + step < wanted.length && fits(count + step)) count += step
  if (count === 0) return null
  const text = textOfPages(wanted.slice(0, count))
  return {
    kind: 'pages',
    pages: text,
    count,
    is_first: wanted[count - 1] === count,
    left_out: wanted.length - count,
    tokens: tokensOfFirst(count),
  }
}

/** How many pages of it would fit as pictures or text; null where all do. */
export function mostPages(attachment: DraftAttachment, form: Form, code: string, room: number): number | null {
  const tokens = tokensOf(attachment, form, code)
  if (tokens === null || tokens <= room) return null
  const way = firstPages(attachment, form, { code, room })
  return way?.kind === 'pages' ? way.count : 0
}

/** Whether a model takes an attachment in this form; null where nobody knows. Every model takes text. */
export function takes(model: Model, as: AttachedAs): boolean | null {
  return as === 'picture' ? model.takes_pictures : as === 'file' ? model.takes_files : true
}

/** Shares as people say them, from the smallest that is worth saying. */
const SHARES: readonly [number, string][] = [
  [1 / 8, '1/8'],
  [1 / 4, '1/4'],
  [1 / 3, '1/3'],
  [1 / 2, '1/2'],
  [2 / 3, '2/3'],
  [3 / 4, '3/4'],
  [9 / 10, '9/10'],
]

/** The part of what is left of the context, such as 3/4; null where it is too little to be said. */
export function shareText(tokens: number, left: number): string | null {
  const share = left <= 0 ? 1 : tokens / left
  if (share < 0.1) return null
  return SHARES.reduce((best, next) => (Math.abs(next[0] - share) < Math.abs(best[0] - share) ? next : best))[1]
}

/** 950, 2.1k, 18k, 1.2M. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count))
  const [unit, size] = count < 999_500 ? (['k', 1_000] as const) : (['M', 1_000_000] as const)
  const amount = count / size
  return `${amount < 9.95 ? Number(amount.toFixed(1)) : Math.round(amount)}${unit}`
}

/** A length of context as it is advertised: 32k also for 32,768. */
export const shortContext = (tokens: number): string =>
  shortCount(tokens % 1_000 !== 0 && tokens % 1_024 === 0 ? (tokens / 1_024) * 1_000 : tokens)

/** What a content is, for the icon of its row. */
export const isPictureContent = (content: Content | null): boolean => content?.kind === 'picture'
