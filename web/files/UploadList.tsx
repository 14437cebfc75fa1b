import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPaperclip } from '#web/kit/icons.ts'
import { FileRows } from './FileRows.tsx'
import styles from './files.module.css'
import type { Upload } from './uploadState.ts'

/** In the same chunk, for the composer. */
export { askFiles } from './askFiles.ts'
export { FileButton } from './FileButton.tsx'
export { filesHindrance } from './filesHindrance.ts'
export { attachFiles, putBackUploads, settleUploads, uploadsIn, useUploads } from './uploads.ts'
export { attachmentsOf } from './uploadState.ts'

type FileDeskProps = {
  uploads: readonly Upload[]
  /** Files are held over the page and would land here. */
  offered: boolean
}

/** Above the text of a question: its files, and where others would land. */
export function FileDesk({ uploads, offered }: FileDeskProps) {
  const t = useTranslate()
  return (
    <>
      <FileRows uploads={uploads} />
      {offered && (
        <div className={styles.drop} data-testid="file-drop">
          <IconPaperclip size={18} aria-hidden /> {t('files.dropHere')}
        </div>
      )}
    </>
  )
}
