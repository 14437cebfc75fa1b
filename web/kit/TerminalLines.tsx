import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './TerminalLines.module.css'
import { IconButton } from './IconButton.tsx'
import { IconCheck, IconCopy } from './icons.ts'
import { useCopied } from './useCopied.ts'

/** A few lines to copy into a terminal. */
export function TerminalLines({ text }: { text: string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  return (
    <div className={styles.code}>
      <pre tabIndex={0}>{text}</pre>
      <IconButton label={t(copied ? 'kit.copied' : 'kit.copy')} size={28} onClick={() => void copy(text)}>
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </IconButton>
    </div>
  )
}
