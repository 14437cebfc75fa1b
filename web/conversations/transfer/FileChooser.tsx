import { type DragEvent, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconUpload } from '#web/kit/icons.ts'
import styles from './transfer.module.css'

/** A file can be dropped here, or chosen. */
export function FileChooser({ onFile }: { onFile(file: File): void }) {
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
