import { useState } from 'react'
import { Uuid } from '#contract/envelope.ts'
import { webFileIn } from '#contract/files.ts'
import type { Attachment } from '#contract/messages.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconFile, IconPhoto } from '#web/kit/icons.ts'
import styles from './messages.module.css'
import { fileAddress, openAttachment } from './openFile.ts'

/** An attached file. Pressing it opens the file from where it is stored; one that is kept here is saved. */
export function AttachmentCard({ attachment }: { attachment: Attachment }) {
  const t = useTranslate()
  const [opening, setOpening] = useState(false)
  const id = webFileIn(attachment.id)
  if (Uuid.safeParse(attachment.id).success)
    return (
      <a
        className={styles.attachment}
        href={fileAddress(attachment.id)}
        download={attachment.name}
        title={t('message.openFile', { name: attachment.name })}
      >
        <FileLabel attachment={attachment} />
      </a>
    )
  if (id === null)
    return (
      <div className={styles.attachment}>
        <FileLabel attachment={attachment} />
      </div>
    )
  const open = () => {
    setOpening(true)
    void openAttachment(id).finally(() => setOpening(false))
  }
  return (
    <button
      type="button"
      className={styles.attachment}
      title={t('message.openFile', { name: attachment.name })}
      aria-busy={opening}
      disabled={opening}
      onClick={open}
    >
      <FileLabel attachment={attachment} />
    </button>
  )
}

function FileLabel({ attachment: { name, size, mimeType } }: { attachment: Attachment }) {
  const language = useLanguage()
  const Icon = mimeType?.startsWith('image/') ? IconPhoto : IconFile
  return (
    <>
      <span className={styles.attachmentIcon}>
        <Icon size={16} stroke={1.6} aria-hidden />
      </span>
      <span className={styles.attachmentName}>
        {name}
        {size != null && <span className={styles.attachmentSize}>{formatBytes(size, language)}</span>}
      </span>
    </>
  )
}
