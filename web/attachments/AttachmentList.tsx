import { useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import { type DraftAttachment, isUnderWay } from './attachment.ts'
import styles from './attachments.module.css'
import { ContextBar } from './ContextBar.tsx'
import { DocumentRow } from './DocumentRow.tsx'
import { useDrawnPages } from './drawnPages.ts'
import { removeFrom } from './drafts.ts'
import { PictureTile } from './PictureTile.tsx'
import { type Shared, useShared } from './plan.ts'
import { TooLong } from './TooLong.tsx'
import type { Planned } from './weights.ts'
import { cancel } from './work.ts'

type ListProps = { draft: QuestionDraft; isDraggedOver: boolean }

/** Above the text of the question: pictures, documents, and how much of the context they take. */
export function AttachmentList({ draft, isDraggedOver }: ListProps) {
  const shared = useShared(draft)
  useDrawnPages(draft, shared.plan)
  return (
    <>
      {shared.plan.attachments.length > 0 && (
        <>
          <Attachments draft={draft} shared={shared} />
          <ContextBar shared={shared} />
        </>
      )}
      <Spoken attachments={shared.plan.attachments} />
      {isDraggedOver && <DropSheet draft={draft} />}
    </>
  )
}

function Attachments({ draft, shared }: { draft: QuestionDraft; shared: Shared }) {
  const t = useTranslate()
  const root = useRef<HTMLDivElement>(null)
  const { attachments } = shared.plan
  const pictures = attachments.filter(({ attachment }) => isTile(attachment))
  const documents = attachments.filter(({ attachment }) => !isTile(attachment))
  // The pressed button is unmounted: the focus moves to the next one, and from the last one to the text.
  const remove = (id: string) => {
    const buttons = [...(root.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const at = buttons.findIndex(button => button.dataset['remove'] === id)
    const next = buttons[at + 1] ?? buttons[at - 1] ?? document.querySelector<HTMLElement>('[data-composer]')
    next?.focus()
    cancel(id)
    removeFrom(draft.conversation, id)
  }
  const row = (planned: Planned) => {
    const parts = { planned, draft, shared, onRemove: () => remove(planned.attachment.id) }
    return planned.tooLong === null || planned.attachment.state.phase !== 'ready' ? (
      <DocumentRow key={planned.attachment.id} {...parts} />
    ) : (
      <TooLong key={planned.attachment.id} {...parts} />
    )
  }
  return (
    <div ref={root} className={styles.attachments} role="group" aria-label={t('attachments.label')}>
      {pictures.length > 0 && (
        <ul className={styles.tiles} aria-label={t('attachments.pictures')}>
          {pictures.map(({ attachment }) => (
            <PictureTile key={attachment.id} attachment={attachment} onRemove={() => remove(attachment.id)} />
          ))}
          {attachments.length < draft.bounds.max_attachments && <AddTile />}
        </ul>
      )}
      {documents.length > 0 && (
        <ul className={styles.rows} aria-label={t('attachments.documents')}>
          {documents.map(row)}
        </ul>
      )}
    </div>
  )
}

/** A picture that could not be read has its reason in a row. */
function isTile({ content, state, mime_type }: DraftAttachment): boolean {
  const isPicture =
    content === null ? mime_type.startsWith('image/') && mime_type !== 'image/svg+xml' : content.kind === 'picture'
  return isPicture && (state.phase === 'ready' || isUnderWay(state))
}

function AddTile() {
  const t = useTranslate()
  return (
    <li>
      <button
        type="button"
        className={styles.add}
        aria-label={t('attachments.addMore')}
        data-tip={t('attachments.addMore')}
        onClick={() => document.querySelector<HTMLElement>('[data-testid=attach]')?.click()}
      >
        <IconPlus size={18} stroke={1.6} aria-hidden />
      </button>
    </li>
  )
}

/** Tells screen readers how it stands with all of them. */
function Spoken({ attachments }: { attachments: readonly Planned[] }) {
  const t = useTranslate()
  const underWay = attachments.filter(({ attachment }) => isUnderWay(attachment.state)).length
  const ready = attachments.filter(({ attachment }) => attachment.state.phase === 'ready').length
  const wrong = attachments.length - underWay - ready
  return (
    <p className="visually-hidden" role="status">
      {underWay > 0
        ? t('attachments.stillReading', { count: underWay })
        : [
            ready > 0 ? t('attachments.ready', { count: ready }) : '',
            wrong > 0 ? t('attachments.wrong', { count: wrong }) : '',
          ].join(' ')}
    </p>
  )
}

/** Over the composer, while files are dragged over the page. */
function DropSheet({ draft: { bounds } }: { draft: QuestionDraft }) {
  const t = useTranslate()
  return (
    <div className={styles.drop} data-testid="file-drop">
      <b>{t('attachments.drop')}</b>
      <span>{t('attachments.dropText', { most: bounds.max_attachments, max_bytes: bounds.max_file_bytes })}</span>
    </div>
  )
}
