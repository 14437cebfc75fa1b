import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPhoto, IconX } from '#web/kit/icons.ts'
import type { AttachmentState, DraftAttachment } from './attachment.ts'
import styles from './attachments.module.css'
import { thumbnailOf } from './thumbnails.ts'

type PictureTileProps = { attachment: DraftAttachment; onRemove(): void }

export function PictureTile({ attachment, onRemove }: PictureTileProps) {
  const t = useTranslate()
  const { id, name, state } = attachment
  const address = thumbnailOf(attachment)
  const share = shareOf(state)
  return (
    <li className={styles.tile} data-testid="attachment" data-phase={state.phase} title={name}>
      {address === null ? (
        <IconPhoto size={18} stroke={1.6} role="img" aria-label={name} />
      ) : (
        <img src={address} alt={name} width={72} height={72} />
      )}
      {share !== null && (
        <progress className={styles.tileBar} aria-label={t('attachments.progress', { name })} value={share} max={1} />
      )}
      <button
        type="button"
        className={styles.removeTile}
        data-remove={id}
        aria-label={t('attachments.remove', { name })}
        onClick={onRemove}
      >
        <IconX size={14} stroke={1.8} aria-hidden />
      </button>
    </li>
  )
}

function shareOf(state: AttachmentState): number | null {
  switch (state.phase) {
    case 'waiting':
    case 'reading':
      return 0
    case 'uploading':
      return state.share
    default:
      return null
  }
}
