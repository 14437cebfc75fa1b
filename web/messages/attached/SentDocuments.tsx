import { readContent } from '#contract/files.ts'
import type { KeptAttachment } from '#contract/messages.ts'
import type { OwnFile } from '#contract/ownFiles.ts'
import { pagesIn } from '#contract/pages.ts'
import { addressOf } from '#web/foundation/call.ts'
import { daysBetween, formatDate } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './attached.module.css'
import { kindLabel } from '#web/files/kindLabel.ts'
import type { SentProps } from './SentPictures.tsx'

/** The documents that went with a question, and how. Pressing one saves it. */
export function SentDocuments({ attachments, facts }: SentProps) {
  const t = useTranslate()
  return (
    <ul className={styles.documents} aria-label={t('attachments.documents')} data-testid="sent-documents">
      {attachments.map(attachment => (
        <li key={attachment.id}>
          <SentDocument attachment={attachment} file={facts?.get(attachment.id) ?? null} />
        </li>
      ))}
    </ul>
  )
}

function SentDocument({ attachment, file }: { attachment: KeptAttachment; file: OwnFile | null }) {
  const t = useTranslate()
  const language = useLanguage()
  const { id, name, size } = attachment
  const isGone = file !== null && file.gone !== null
  const size_text = size == null ? '' : formatBytes(size, language)
  const texts = [pagesText(attachment, t) || size_text, sentText(attachment, t)]
  const inside = (
    <>
      <span className={styles.icon} aria-hidden>
        {kindLabel({ name })}
      </span>
      <span className={styles.facts}>
        <b dir="auto">{isGone ? <s>{name}</s> : name}</b>
        <small>
          {isGone ? <GoneText file={file} /> : texts.filter(text => text !== '').join(t('attachments.comma'))}
        </small>
      </span>
    </>
  )
  if (isGone)
    return (
      <div
        className={`${styles.document} ${styles.goneDocument}`}
        data-testid="gone-file"
        data-reason={file.gone?.reason}
      >
        {inside}
      </div>
    )
  return (
    <a
      className={styles.document}
      href={addressOf(readContent, { params: { id } })}
      download={name}
      title={t('attachments.save', { name })}
      data-testid="sent-document"
    >
      {inside}
    </a>
  )
}

function GoneText({ file: { gone, upload_time } }: { file: OwnFile }) {
  const t = useTranslate()
  const language = useLanguage()
  if (gone === null) return null
  const time = new Date(gone.time)
  const date = formatDate(time, language)
  return gone.reason === 'expired'
    ? t('attachments.fileExpired', { date, count: daysBetween(new Date(upload_time), time) })
    : t('attachments.fileDeleted', { date })
}

function pagesText({ page_count: count, pages, as }: KeptAttachment, t: Translate): string {
  if (count == null) return ''
  return pages == null || as === 'file' || pagesIn(pages, count).length === count
    ? t('attachments.pageCount', { count })
    : t('attachments.someOfPages', { pages, count })
}

const sentText = ({ as }: KeptAttachment, t: Translate): string =>
  t(({ text: 'attachments.sentAsText', picture: 'attachments.asPictures', file: 'attachments.asFile' } as const)[as])
