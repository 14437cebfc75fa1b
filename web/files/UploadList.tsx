import { useRef } from 'react'
import { isPictureType } from '#contract/files.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconAlertTriangle, IconFile, IconPaperclip, IconPhoto, IconRefresh, IconX } from '#web/kit/icons.ts'
import { ATTACH_BUTTON } from './FileButton.tsx'
import styles from './files.module.css'
import { removeUpload, uploadAgain } from './uploads.ts'
import { isUnderWay, type Upload } from './uploadState.ts'

type UploadListProps = {
  uploads: readonly Upload[]
  /** Files dragged over the page would be added here. */
  isDraggedOver: boolean
}

/** Above the text of the draft: its files with their states. */
export function UploadList({ uploads, isDraggedOver }: UploadListProps) {
  const t = useTranslate()
  const list = useRef<HTMLUListElement>(null)
  // The pressed button is unmounted: the focus moves to the next one, and from the last one to the attach button.
  const remove = (at: number, id: string) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const next = buttons[at + 1] ?? buttons[at - 1] ?? document.getElementById(ATTACH_BUTTON)
    next?.focus()
    removeUpload(id)
  }
  return (
    <>
      <Summary uploads={uploads} />
      {uploads.length > 0 && (
        <ul ref={list} className={styles.rows} aria-label={t('files.label')} data-testid="file-rows">
          {uploads.map((upload, at) => (
            <UploadRow key={upload.id} upload={upload} onRemove={() => remove(at, upload.id)} />
          ))}
        </ul>
      )}
      {isDraggedOver && (
        <div className={styles.drop} data-testid="file-drop">
          <IconPaperclip size={18} aria-hidden /> {t('files.dropHere')}
        </div>
      )}
    </>
  )
}

/** Tells screen readers the state of all uploads. */
function Summary({ uploads }: { uploads: readonly Upload[] }) {
  const t = useTranslate()
  const underWay = uploads.filter(({ state }) => isUnderWay(state)).length
  const ready = uploads.filter(({ state }) => state.phase === 'ready').length
  return (
    <p className="visually-hidden" role="status">
      {underWay > 0 ? t('files.underWay', { count: underWay }) : ready > 0 ? t('files.ready', { count: ready }) : ''}
    </p>
  )
}

type UploadRowProps = { upload: Upload; onRemove(): void }

function UploadRow({ upload, onRemove }: UploadRowProps) {
  const t = useTranslate()
  const { id, name, mime_type, state } = upload
  const isWrong = state.phase === 'failed' || state.phase === 'refused'
  const Icon = isWrong ? IconAlertTriangle : isPictureType(mime_type) ? IconPhoto : IconFile
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
      {state.phase === 'uploading' && state.share < 1 && (
        <progress className={styles.bar} aria-label={t('files.progress', { name })} value={state.share} max={1} />
      )}
      {state.phase === 'failed' && upload.file !== null && (
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

function UploadStatus({ upload: { size, state } }: { upload: Upload }) {
  const t = useTranslate()
  const language = useLanguage()
  const translateMessage = useTranslateMessage()
  switch (state.phase) {
    case 'waiting':
      return <small>{t('files.waiting', { size_bytes: size })}</small>
    case 'uploading':
      // What was sent may be on its way still: the portal sends it on while it comes, and answers once it is stored.
      if (state.share === 1) return <small>{t('files.finishing')}</small>
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
