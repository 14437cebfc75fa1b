import { DEFAULT_LANGUAGE, type Language } from '#contract/preferences.ts'
import type { PushedNotice } from '#contract/notices.ts'
import { PUSHED_TEXTS, type PushedTexts } from '#web/i18n/pushed.ts'

/** A notice as a browser shows it. Another one of the same tag takes its place. */
export type ShownNotice = {
  title: string
  options: { body: string; lang: string; tag: string; icon: string; data: { path: string } }
}

/** What is shown of what was sent; null for what this version does not know. */
export function shownNotice(sent: unknown): ShownNotice | null {
  const notice = parsed(sent)
  if (notice === null) return null
  const language: Language = notice.language in PUSHED_TEXTS ? (notice.language as Language) : DEFAULT_LANGUAGE
  const texts = PUSHED_TEXTS[language]
  const { kind, conversation_id, title } = notice
  const text = textOf(notice, texts)
  return {
    title: kind === 'answer' && notice.has_failed ? texts.failed : texts[kind],
    options: {
      body: title === null ? text : filled(texts.and, { title, text }),
      lang: language,
      tag: conversation_id ?? kind,
      icon: '/icons/icon-192.png',
      data: { path: pathOf(conversation_id) },
    },
  }
}

/** Whether somebody looks at what it is about, in a page with this address. */
export const isAbout = ({ conversation_id }: PushedNotice, address: string): boolean =>
  conversation_id === null || new URL(address).searchParams.get('id') === conversation_id

const KINDS: readonly unknown[] = ['answer', 'turn', 'window']

/** It was encrypted by this server for this browser; another version of it may send something else. */
export function parsed(sent: unknown): PushedNotice | null {
  if (typeof sent !== 'object' || sent === null || !('kind' in sent) || !KINDS.includes(sent.kind)) return null
  const empty = { language: '', conversation_id: null, title: null, label: null, seconds: null, has_failed: false }
  return { ...empty, ...(sent as PushedNotice) } // what it lacks is empty
}

export const pathOf = (conversation_id: string | null): string =>
  conversation_id === null ? '/conversation' : `/conversation?id=${encodeURIComponent(conversation_id)}`

function textOf({ kind, label, seconds, has_failed }: PushedNotice, texts: PushedTexts): string {
  if (kind === 'turn') return texts.turnText
  if (kind === 'window') return filled(texts.windowText, { label: label ?? '' }).trim()
  if (has_failed) return texts.failedText
  if (seconds === null) return ''
  const time =
    seconds < 60
      ? filled(texts.seconds, { seconds })
      : filled(texts.minutes, { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
  return filled(texts.took, { time })
}

function filled(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
