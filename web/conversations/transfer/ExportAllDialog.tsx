import { useEffect, useState } from 'react'
import { Button } from '@mantine/core'
import { translate, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Note } from '#web/kit/Note.tsx'
import { toast } from '#web/kit/toast.ts'
import { exportAll, type ExportProgress } from './exportAll.ts'
import { fileNameOf } from './fileName.ts'
import { Progress } from './Progress.tsx'
import { saveFile } from './saveFile.ts'

/** Begins at once; there is nothing to choose. */
export function ExportAllDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const [progress, setProgress] = useState<ExportProgress>({ done: 0, total: 0 })
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    save(setProgress, leaving.signal)
      .then(done => {
        if (done) onClose()
      })
      .catch(() => setFailed(true))
    return () => leaving.abort()
    // Whoever opens it gives a new onClose with each drawing; one export is enough.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [attempt])
  const again = () => {
    setFailed(false)
    setAttempt(attempt + 1)
  }
  return (
    <Dialog title={t('transfer.exportAll')} width={420} busy={!failed} onClose={onClose}>
      {failed ? (
        <Note tone="red" title={t('transfer.exportFailed')} />
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
        {failed && <Button onClick={again}>{t('kit.retry')}</Button>}
      </DialogFooter>
    </Dialog>
  )
}

/** False when it was cancelled meanwhile. */
async function save(onProgress: (progress: ExportProgress) => void, signal: AbortSignal): Promise<boolean> {
  try {
    const { file, count } = await exportAll(onProgress, signal)
    signal.throwIfAborted()
    saveFile(
      fileNameOf(
        translate('transfer.allFileName', { date: new Date().toISOString().slice(0, 10) }),
        'conversations',
        'json',
      ),
      file,
    )
    toast.success(translate('transfer.exported', { count }))
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}
