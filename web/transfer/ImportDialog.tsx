import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import type { ImportOutcome } from '#contract/transfer.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { IconUpload } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { importFile, type ImportProgress, type ImportSummary } from './importFile.ts'
import { Progress } from './ExportAllDialog.tsx'
import styles from './transfer.module.css'
import { type ImportReason, UnreadableFile } from './unreadableFile.ts'

type ImportDialogProps = {
  /** Called when conversations may have been stored, even if the import was cancelled or failed. */
  onImported(): void
  onClose(): void
}

export function ImportDialog({ onImported, onClose }: ImportDialogProps) {
  const t = useTranslate()
  const { state, start, cancel } = useImport(onImported)
  const busy = state.phase === 'sending' || state.phase === 'reading'
  return (
    <Dialog title={t('transfer.import')} busy={busy} onClose={onClose}>
      <div className={styles.import} data-testid="import-dialog">
        {state.phase === 'choosing' && <FileChooser onFile={start} />}
        {state.phase === 'failed' && (
          <>
            <Note
              tone="red"
              title={
                state.product === null ? t(state.reason) : t('transfer.no.otherProduct', { product: state.product })
              }
            >
              {state.error === null ? undefined : failureText(state.error)}
            </Note>
            <FileChooser onFile={start} />
          </>
        )}
        {state.phase === 'reading' && <Progress label={t('transfer.reading')} done={0} total={0} />}
        {state.phase === 'sending' && <Progress label={t('transfer.importing', state.progress)} {...state.progress} />}
        {state.phase === 'done' && <ImportReport summary={state.summary} />}
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

type ImportState =
  | { phase: 'choosing' }
  | { phase: 'reading' }
  | { phase: 'sending'; progress: ImportProgress }
  | { phase: 'done'; summary: ImportSummary }
  | { phase: 'failed'; reason: ImportReason; product: string | null; error: unknown }

function useImport(onImported: () => void) {
  const [state, setState] = useState<ImportState>({ phase: 'choosing' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async (file: File) => {
    const { signal } = (running.current = new AbortController())
    setState({ phase: 'reading' })
    try {
      const summary = await importFile(file, progress => setState({ phase: 'sending', progress }), signal)
      const isNothing =
        signal.aborted && summary.left === 0 && Object.values(summary.counts).every(count => count === 0)
      setState(isNothing ? { phase: 'choosing' } : { phase: 'done', summary })
    } catch (error) {
      const { reason, product } = error instanceof UnreadableFile ? error : new UnreadableFile('transfer.no.notSent')
      setState({ phase: 'failed', reason, product, error: error instanceof UnreadableFile ? null : error })
    } finally {
      onImported()
    }
  }

  return { state, start: (file: File) => void start(file), cancel: () => running.current?.abort() }
}

/** Takes a file that is chosen or dropped here. */
function FileChooser({ onFile }: { onFile(file: File): void }) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file !== undefined) onFile(file)
  }
  const onDragOver = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  return (
    <div
      className={over ? styles.dropHere : styles.drop}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <IconUpload size={18} stroke={1.6} aria-hidden />
      <p className={styles.toDrop}>{t('transfer.drop')}</p>
      <Button variant="default" data-autofocus onClick={() => input.current?.click()}>
        {t('transfer.choose')}
      </Button>
      <p className={styles.hint}>{t('transfer.accepts')}</p>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.zip,application/json,application/zip"
        aria-label={t('transfer.choose')}
        data-testid="import-file"
        onChange={event => take(event.currentTarget.files)}
      />
    </div>
  )
}

const ROWS = ['new', 'completed', 'present', 'refused'] as const satisfies readonly ImportOutcome[]
/** Refused conversations that are listed by title. */
const MAX_LISTED = 50

/** How many conversations were stored, and why others were refused. */
export function ImportReport({
  summary: { counts, refused, split, left, pictures_left_out },
}: {
  summary: ImportSummary
}) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const number = new Intl.NumberFormat(useLanguage())
  return (
    <div className={styles.report} role="status" data-testid="import-report">
      {split > 0 && <p>{t('transfer.parted', { count: split })}</p>}
      {left > 0 && <p>{t('transfer.left', { count: left })}</p>}
      {pictures_left_out > 0 && <p>{t('transfer.picturesLeftOut', { count: pictures_left_out })}</p>}
      <dl className={styles.counts}>
        {ROWS.filter(row => row === 'new' || counts[row] > 0).map(row => (
          <div key={row} data-outcome={row}>
            <dt>{t(`transfer.outcome.${row}`)}</dt>
            <dd>{number.format(counts[row])}</dd>
          </div>
        ))}
      </dl>
      {refused.length > 0 && (
        <ul className={styles.refused} aria-label={t('transfer.outcome.refused')} tabIndex={0}>
          {refused.slice(0, MAX_LISTED).map(({ title, reason }, at) => (
            <li key={at}>
              <span>{title || t('conversations.untitled')}</span>
              <span>{translateMessage(reason)}</span>
            </li>
          ))}
          {refused.length > MAX_LISTED && (
            <li>{t('transfer.furtherRefused', { count: refused.length - MAX_LISTED })}</li>
          )}
        </ul>
      )}
    </div>
  )
}
