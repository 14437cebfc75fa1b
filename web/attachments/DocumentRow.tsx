import type { ReactNode } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconAlertTriangle, IconArrowBackUp, IconRefresh, IconX } from '#web/kit/icons.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import { type DraftAttachment, isUnderWay } from './attachment.ts'
import { AttachmentMenu } from './AttachmentMenu.tsx'
import styles from './attachments.module.css'
import { kindLabel } from '#web/files/kindLabel.ts'
import { PasswordForm } from './PasswordForm.tsx'
import type { RowProps } from './plan.ts'
import { putTextBack } from './pastedText.ts'
import { useRowText } from './rowText.ts'
import { tryAgain } from './work.ts'

export function DocumentRow(row: RowProps) {
  const { attachment } = row.planned
  return (
    <li
      className={attachment.state.phase === 'gone' ? `${styles.row} ${styles.gone}` : styles.row}
      data-testid="attachment"
      data-phase={attachment.state.phase}
    >
      <RowParts {...row} />
    </li>
  )
}

/** What it is, how it stands with it, and what can be done. */
export function RowParts({ planned, draft, shared, onRemove }: RowProps) {
  const t = useTranslate()
  const { attachment } = planned
  const { id, name, state, pasted } = attachment
  const { text, tone } = useRowText(planned, shared)
  const share = shareOf(attachment)
  return (
    <>
      <KindIcon attachment={attachment} tone={tone} />
      <span className={styles.facts}>
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        <small className={tone === null ? undefined : styles[tone]} role={tone === 'red' ? 'alert' : undefined}>
          {text}
        </small>
      </span>
      {share !== null && (
        <progress className={styles.progress} aria-label={t('attachments.progress', { name })} value={share} max={1} />
      )}
      {state.phase === 'needsPassword' && (
        <PasswordForm name={name} isWrong={state.wrong} onGive={password => tryAgain(id, draft.bounds, password)} />
      )}
      {state.phase === 'failed' && attachment.file !== null && (
        <IconButton label={t('attachments.again', { name })} onClick={() => tryAgain(id, draft.bounds)}>
          <IconRefresh size={16} aria-hidden />
        </IconButton>
      )}
      {pasted !== null && state.phase === 'ready' && <PutBack attachment={attachment} draft={draft} />}
      {state.phase === 'ready' && attachment.content?.kind === 'document' && (
        <AttachmentMenu planned={planned} draft={draft} shared={shared} onRemove={onRemove} />
      )}
      <IconButton
        label={t(isUnderWay(state) ? 'attachments.stop' : 'attachments.remove', { name })}
        data-remove={id}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </IconButton>
    </>
  )
}

function KindIcon({ attachment, tone }: { attachment: DraftAttachment; tone: 'red' | 'amber' | null }): ReactNode {
  const isWrong = tone === 'red'
  return (
    <span className={tone === null ? styles.icon : `${styles.icon} ${styles[tone]}`} aria-hidden>
      {isWrong ? <IconAlertTriangle size={18} stroke={1.6} /> : kindLabel(attachment)}
    </span>
  )
}

function PutBack({ attachment, draft }: { attachment: DraftAttachment; draft: QuestionDraft }) {
  const t = useTranslate()
  return (
    <>
      <button type="button" className={styles.putBack} onClick={() => void putTextBack(attachment, draft)}>
        {t('attachments.putBack')}
      </button>
      <IconButton
        className={styles.putBackIcon}
        label={t('attachments.putBack')}
        onClick={() => void putTextBack(attachment, draft)}
      >
        <IconArrowBackUp size={16} aria-hidden />
      </IconButton>
    </>
  )
}

function shareOf({ state }: DraftAttachment): number | null {
  switch (state.phase) {
    case 'reading':
    case 'drawing':
      return state.progress.total === null ? null : state.progress.done / Math.max(1, state.progress.total)
    case 'uploading':
      return state.share
    default:
      return null
  }
}
