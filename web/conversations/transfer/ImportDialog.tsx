import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Note } from '#web/kit/Note.tsx'
import { FileChooser } from './FileChooser.tsx'
import { ImportReport } from './ImportReport.tsx'
import { Progress } from './Progress.tsx'
import styles from './transfer.module.css'
import { useImport } from './useImport.ts'

export function ImportDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { state, begin, cancel } = useImport()
  const busy = state.phase === 'sending' || state.phase === 'reading'
  return (
    <Dialog title={t('transfer.import')} busy={busy} onClose={onClose}>
      <div className={styles.import} data-testid="import-dialog">
        {state.phase === 'choosing' && <FileChooser onFile={begin} />}
        {state.phase === 'failed' && (
          <>
            <Note
              tone="red"
              title={
                state.product === null ? t(state.reason) : t('transfer.no.otherProduct', { product: state.product })
              }
            />
            <FileChooser onFile={begin} />
          </>
        )}
        {state.phase === 'reading' && <Progress label={t('transfer.reading')} done={0} total={0} />}
        {state.phase === 'sending' && <Progress label={t('transfer.importing', state.progress)} {...state.progress} />}
        {state.phase === 'done' && <ImportReport tally={state.tally} />}
      </div>
      <DialogFooter>
        {busy ? (
          <Button variant="subtle" color="gray" onClick={cancel}>
            {t('transfer.stop')}
          </Button>
        ) : (
          <Button
            variant={state.phase === 'done' ? 'filled' : 'subtle'}
            color={state.phase === 'done' ? 'green' : 'gray'}
            data-autofocus={state.phase === 'done' || undefined}
            onClick={onClose}
          >
            {t('kit.close')}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}
