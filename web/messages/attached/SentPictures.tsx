import { useState } from 'react'
import { readContent } from '#contract/files.ts'
import type { ImagePart, KeptAttachment } from '#contract/messages.ts'
import { type OwnFile, readThumbnail } from '#contract/ownFiles.ts'
import { addressOf } from '#web/foundation/call.ts'
import { useReason } from '#web/foundation/refusedFile.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPhoto } from '#web/kit/icons.ts'
import styles from './attached.module.css'
import type { FilesAsked } from './fileFacts.ts'
import { Lightbox } from './Lightbox.tsx'

export type SentProps = { attachments: readonly KeptAttachment[]; facts: FilesAsked | null }

/** The pictures that went with a question. Those that are gone keep their place. */
export function SentPictures({ attachments, facts }: SentProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const there = attachments.filter(({ id }) => (facts?.get(id)?.gone ?? null) === null)
  const first = there.findIndex(({ id }) => id === opened)
  const close = () => setOpened(null)
  return (
    <div className={styles.pictures} data-testid="sent-pictures">
      {attachments.map(attachment => (
        <SentPicture
          key={attachment.id}
          attachment={attachment}
          gone={facts?.get(attachment.id)?.gone ?? null}
          isKnown={facts !== null}
          onOpen={() => setOpened(attachment.id)}
        />
      ))}
      {first >= 0 && <Lightbox pictures={there.map(asShown)} first={first} onClose={close} />}
    </div>
  )
}

const asShown = ({ id, name, size, width, height }: KeptAttachment): { part: ImagePart; name: string } => ({
  part: { asset_pointer: addressOf(readContent, { params: { id } }), size_bytes: size, width, height },
  name,
})

type SentPictureProps = { attachment: KeptAttachment; gone: OwnFile['gone']; isKnown: boolean; onOpen(): void }

function SentPicture({ attachment: { id, name }, gone, isKnown, onOpen }: SentPictureProps) {
  const t = useTranslate()
  const [isMissing, setMissing] = useState(false)
  const address = addressOf(readThumbnail, { params: { id } })
  if (gone !== null) return <Gone gone={gone} name={name} />
  if (isMissing) return <Missing address={address} name={name} />
  return (
    <button
      type="button"
      className={`${styles.picture} ${styles.open}`}
      aria-label={t('attachments.openLarge', { name })}
      data-testid="sent-picture"
      onClick={onOpen}
    >
      {/* The browser would report a request for one that is gone. */}
      {isKnown && <img src={address} alt="" loading="lazy" decoding="async" onError={() => setMissing(true)} />}
    </button>
  )
}

function Gone({ gone: { time, reason }, name }: { gone: NonNullable<OwnFile['gone']>; name: string }) {
  const t = useTranslate()
  const date = formatDate(new Date(time), useLanguage())
  return (
    <div className={styles.gone} title={name} data-testid="gone-file" data-reason={reason}>
      <IconPhoto size={18} stroke={1.6} aria-hidden />
      <span>{t(reason === 'expired' ? 'attachments.pictureExpired' : 'attachments.pictureDeleted')}</span>
      <span className={styles.date}>{reason === 'expired' ? t('attachments.removedOn', { date }) : date}</span>
    </div>
  )
}

/** Of another, of whose files only what is there is known; and where the server could not be asked. */
function Missing({ address, name }: { address: string; name: string }) {
  const t = useTranslate()
  const why = useReason(address)
  return (
    <div className={styles.gone} title={name} data-testid="gone-file">
      <IconPhoto size={18} stroke={1.6} aria-hidden />
      <span>{t('message.imageNotLoaded')}</span>
      {why !== null && <span className={styles.date}>{why}</span>}
    </div>
  )
}
