import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import styles from './thread.module.css'

/** Copies the text as it was written; a check stands there for a moment. */
export function CopyAction({ text }: { text: () => string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  const label = t(copied ? 'message.copied' : 'message.copy')
  return (
    <button
      type="button"
      className={styles.action}
      aria-label={label}
      data-tip={label}
      data-testid="message-copy"
      onClick={() => void copy(text())}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
    </button>
  )
}
