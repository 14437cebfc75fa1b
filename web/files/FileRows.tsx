import { useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { ATTACH_BUTTON } from './FileButton.tsx'
import { FileRow } from './FileRow.tsx'
import styles from './files.module.css'
import { removeUpload } from './uploads.ts'
import { isUnderWay, type Upload } from './uploadState.ts'

/** The files beside the question that is being written, each with how it stands. */
export function FileRows({ uploads }: { uploads: readonly Upload[] }) {
  const t = useTranslate()
  const list = useRef<HTMLUListElement>(null)
  const underWay = uploads.filter(({ state }) => isUnderWay(state)).length
  const ready = uploads.filter(({ state }) => state.phase === 'ready').length
  // The button that was pressed is gone: on to the next one, and from the last to where another file is chosen.
  const remove = (at: number, id: string) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
    const next = buttons[at + 1] ?? buttons[at - 1] ?? document.getElementById(ATTACH_BUTTON)
    next?.focus()
    removeUpload(id)
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {underWay > 0 ? t('files.underWay', { count: underWay }) : ready > 0 ? t('files.ready', { count: ready }) : ''}
      </p>
      {uploads.length > 0 && (
        <ul ref={list} className={styles.rows} aria-label={t('files.label')} data-testid="file-rows">
          {uploads.map((upload, at) => (
            <FileRow key={upload.id} upload={upload} onRemove={() => remove(at, upload.id)} />
          ))}
        </ul>
      )}
    </>
  )
}
