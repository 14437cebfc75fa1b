import type { Language } from '#contract/preferences.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { readingText } from '#web/i18n/reading.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { pagesIn } from '#contract/pages.ts'
import { costText } from './cost.ts'
import { type DraftAttachment, PDF, type Reason } from './attachment.ts'
import type { Shared } from './plan.ts'
import { type Planned, shareText, shortContext, shortCount } from './weights.ts'

type RowText = { text: string; tone: 'red' | 'amber' | null }

/** The second line of a row: its state, or pages, tokens and part of what is left of the context, in this order. */
export function useRowText(planned: Planned, shared: Shared): RowText {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const language = useLanguage()
  const { attachment } = planned
  const { state } = attachment
  switch (state.phase) {
    case 'waiting':
      return plain(t('attachments.waiting'))
    case 'reading':
      return plain(progressText(attachment, t))
    case 'drawing':
      return plain(t('attachments.drawing', { at: state.progress.done, count: state.progress.total ?? 0 }))
    case 'uploading': {
      const { size } = attachment
      return plain(t('attachments.uploading', { sent_bytes: Math.round(size * state.share), size_bytes: size }))
    }
    case 'needsPassword':
      return { text: t(state.wrong ? 'attachments.wrongPassword' : 'attachments.needsPassword'), tone: 'red' }
    case 'failed':
    case 'refused':
      return { text: reasonText(state.reason), tone: 'red' }
    case 'gone':
      return { text: t(`attachments.${state.reason}`), tone: null }
    case 'ready':
      return readyText(planned, shared, { t, language })
  }

  function reasonText(reason: Reason): string {
    return 'reading' in reason
      ? readingText(language, reason.reading, reason.values)
      : translateMessage(reason.message, reason.values)
  }
}

type Words = { t: Translate; language: Language }

const plain = (text: string): RowText => ({ text, tone: null })

function progressText({ state, mime_type, name }: DraftAttachment, t: Translate): string {
  if (state.phase !== 'reading' || state.progress.total === null) return t('attachments.reading')
  const { done, total } = state.progress
  // What has no pages is counted in something that says nothing to a person.
  const hasPages = mime_type === PDF || name.toLowerCase().endsWith('.pdf')
  return hasPages
    ? t('attachments.readingPage', { page: Math.min(total, done + 1), pages: total })
    : t('attachments.reading')
}

function readyText(planned: Planned, { conversation, question, length, plan, price }: Shared, words: Words): RowText {
  const { t, language } = words
  const { attachment, form, tokens, tooLong } = planned
  const { content, pasted } = attachment
  if (tooLong !== null) return { text: tooLongText(planned, length, t), tone: 'amber' }
  const partly = content?.kind === 'document' ? content.partly : null
  const left = length === null ? 0 : length - conversation - question - (plan.tokens - (tokens ?? 0))
  const share = length === null || tokens === null ? null : shareText(tokens, left)
  const cost = costText(tokens, price, language)
  const parts = [
    partly === null ? '' : readingText(language, `partial.${partly}`),
    pasted === null ? pagesText(planned, t) : t('attachments.pasted', { characters: pasted }),
    content?.kind === 'document' && form.as === 'picture'
      ? t(content.tokens === null ? 'attachments.noText' : 'attachments.asPictures')
      : '',
    form.as === 'file' ? t('attachments.asFile') : '',
    tokens === null ? '' : t('attachments.tokens', { tokens: shortCount(tokens) }),
    share === null ? '' : t('attachments.share', { share }),
    cost === null ? '' : t('attachments.costs', { cost }),
  ]
  return { text: joined(parts, t), tone: partly === null ? null : 'amber' }
}

function tooLongText(planned: Planned, length: number | null, t: Translate): string {
  const { attachment, tooLong } = planned
  const isScan = attachment.content?.kind === 'document' && attachment.content.tokens === null
  return joined(
    [
      pagesText({ ...planned, form: { as: planned.form.as, pages: attachment.pages } }, t),
      isScan ? t('attachments.scan') : '',
      t('attachments.tokens', { tokens: shortCount(tooLong?.tokens ?? 0) }),
      t('attachments.doesNotFit', { length: shortContext(length ?? 0) }),
    ],
    t,
  )
}

/** Empty for what has no pages. */
export function pagesText(
  { attachment: { content }, form }: Pick<Planned, 'attachment' | 'form'>,
  t: Translate,
): string {
  if (content?.kind !== 'document' || content.page_count === null) return ''
  const count = content.page_count
  return form.pages === null || form.as === 'file' || pagesIn(form.pages, count).length === count
    ? t('attachments.pageCount', { count })
    : t('attachments.someOfPages', { pages: form.pages, count })
}

export const joined = (parts: readonly string[], t: Translate): string =>
  parts.filter(part => part !== '').join(t('attachments.comma'))
