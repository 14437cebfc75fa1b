import { type ChangeEvent, useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconPaperclip } from '#web/kit/icons.ts'
import styles from './files.module.css'
import { acceptOf } from './fileTypes.ts'

export const ATTACH_BUTTON = 'attach-files'

type FileButtonProps = {
  /** Files of the draft. */
  count: number
  model: string
  onFiles(files: File[]): void
}

/** Opens the system's file dialog. */
export function FileButton({ count, model, onFiles }: FileButtonProps) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])])
    // So that the same file can be chosen again.
    currentTarget.value = ''
  }
  return (
    <span className={styles.attach}>
      <IconButton
        id={ATTACH_BUTTON}
        label={count === 0 ? t('files.attach') : t('files.attachMore', { count })}
        data-testid="attach"
        onClick={() => input.current?.click()}
      >
        <IconPaperclip size={18} aria-hidden />
      </IconButton>
      {count > 0 && (
        <span className={styles.count} aria-hidden>
          {count}
        </span>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptOf(model)}
        aria-label={t('files.attach')}
        data-testid="attach-input"
        onChange={choose}
      />
    </span>
  )
}
