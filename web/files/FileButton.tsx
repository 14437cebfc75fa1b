import { type ChangeEvent, useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconPaperclip } from '#web/kit/icons.ts'
import styles from './files.module.css'

export const ATTACH_BUTTON = 'attach-files'

/** Where there is no room for a window of the system's own, as on phones. */
const NARROW = '(max-width: 47.49em)'

type FileButtonProps = {
  /** Shown at the button, unless it is 0. */
  count: number
  /** Of the system's dialog; undefined takes any type. */
  accept: string | undefined
  onFiles(files: File[]): void
  /** It will probably be pressed. */
  onNear(): void
  /** Opens what a phone offers; null where it is the system's dialog as well. */
  onSheet: (() => void) | null
}

/** Opens the system's file dialog. */
export function FileButton({ count, accept, onFiles, onNear, onSheet }: FileButtonProps) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])])
    // So that the same file can be chosen again.
    currentTarget.value = ''
  }
  const press = () => {
    if (onSheet !== null && window.matchMedia(NARROW).matches) onSheet()
    else input.current?.click()
  }
  return (
    <span className={styles.attach}>
      <IconButton
        id={ATTACH_BUTTON}
        label={count === 0 ? t('files.attach') : t('files.attachMore', { count })}
        data-testid="attach"
        onPointerEnter={onNear}
        onFocus={onNear}
        onClick={press}
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
        accept={accept}
        aria-label={t('files.attach')}
        data-testid="attach-input"
        onChange={choose}
      />
    </span>
  )
}
