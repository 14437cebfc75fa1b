import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconAlertTriangle, IconFile, IconPhoto, IconRefresh, IconX } from '#web/kit/icons.ts'
import styles from './files.module.css'
import { isPicture } from './fileTypes.ts'
import { uploadAgain } from './uploads.ts'
import { isUnderWay, type Upload } from './uploadState.ts'

type FileRowProps = { upload: Upload; onRemove(): void }

export function FileRow({ upload, onRemove }: FileRowProps) {
  const t = useTranslate()
  const { id, name, mime_type, state } = upload
  const isWrong = state.phase === 'failed' || state.phase === 'refused'
  const Icon = isWrong ? IconAlertTriangle : isPicture(mime_type) ? IconPhoto : IconFile
  return (
    <li className={styles.row} data-testid="file-row" data-phase={state.phase}>
      <span className={isWrong ? `${styles.icon} ${styles.wrong}` : styles.icon}>
        <Icon size={16} aria-hidden />
      </span>
      <span className={styles.facts}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        <UploadStatus upload={upload} />
      </span>
      {state.phase === 'uploading' && (
        <progress className={styles.bar} aria-label={t('files.progress', { name })} value={state.share} max={1} />
      )}
      {state.phase === 'failed' && (
        <IconButton label={t('files.again', { name })} onClick={() => uploadAgain(id)}>
          <IconRefresh size={16} aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={t(isUnderWay(state) ? 'files.cancel' : 'files.remove', { name })}
        data-remove
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </IconButton>
    </li>
  )
}

/** The state of the upload, in words. */
function UploadStatus({ upload: { size, state } }: { upload: Upload }) {
  const t = useTranslate()
  const language = useLanguage()
  const translateMessage = useTranslateMessage()
  switch (state.phase) {
    case 'waiting':
      return <small>{t('files.waiting', { size_bytes: size })}</small>
    case 'uploading':
      return <small>{t('files.uploading', { sent_bytes: Math.round(size * state.share), size_bytes: size })}</small>
    case 'storing':
      return <small>{t('files.storing')}</small>
    case 'ready':
      return <small>{formatBytes(size, language)}</small>
    case 'failed':
    case 'refused':
      return (
        <small className={styles.wrong} role="alert">
          {translateMessage(state.reason.message, state.reason.values)}
        </small>
      )
  }
}
