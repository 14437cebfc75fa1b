import { useEffect, useState } from 'react'
import { Button } from '@mantine/core'
import { failureText } from '#web/foundation/failures.ts'
import { saveFile } from '#web/foundation/saveFile.ts'
import { translate, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Note } from '#web/kit/Note.tsx'
import { toast } from '#web/foundation/toasts.ts'
import { exportAll, type ExportProgress, fileNameOf } from './exportedFile.ts'
import styles from './transfer.module.css'

/** Starts the export at once, since there is nothing to choose. */
export function ExportAllDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const [progress, setProgress] = useState<ExportProgress>({ done: 0, total: 0 })
  const [error, setError] = useState<unknown>(null)
  const failed = error !== null
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    save(setProgress, leaving.signal).then(onClose, (failure: unknown) => {
      if (!leaving.signal.aborted) setError(failure)
    })
    return () => leaving.abort()
    // Another onClose must not start another export.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [attempt])
  const retry = () => {
    setError(null)
    setAttempt(attempt + 1)
  }
  return (
    <Dialog title={t('transfer.exportAll')} width={420} busy={!failed} onClose={onClose}>
      {failed ? (
        <Note tone="red" title={t('transfer.exportFailed')}>
          {failureText(error)}
        </Note>
      ) : (
        <Progress
          label={progress.total === 0 ? t('transfer.counting') : t('transfer.exporting', progress)}
          {...progress}
        />
      )}
      <DialogFooter>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('kit.cancel')}
        </Button>
        {failed && <Button onClick={retry}>{t('kit.retry')}</Button>}
      </DialogFooter>
    </Dialog>
  )
}

async function save(onProgress: (progress: ExportProgress) => void, signal: AbortSignal): Promise<void> {
  const { file, count } = await exportAll(onProgress, signal)
  signal.throwIfAborted()
  const date = new Date().toISOString().slice(0, 10)
  saveFile(fileNameOf(translate('transfer.allFileName', { date }), 'conversations', 'json'), file)
  toast.success(translate('transfer.exported', { count }))
}

type ProgressProps = { label: string; done: number; total: number }

/** A progress bar; indeterminate while the total is 0. */
export function Progress({ label, done, total }: ProgressProps) {
  return (
    <div className={styles.progress}>
      <p role="status">{label}</p>
      <progress className={styles.bar} aria-label={label} {...(total > 0 && { value: done, max: total })} />
    </div>
  )
}
