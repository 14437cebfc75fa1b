import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './step.module.css'

/** The output of a tool, verbatim. */
export function Output({ text, failed = false }: { text: string; failed?: boolean }) {
  const t = useTranslate()
  return (
    <pre
      className={failed ? styles.errors : styles.output}
      tabIndex={0}
      role="group"
      aria-label={t(failed ? 'message.errorOutput' : 'message.output')}
    >
      {text}
    </pre>
  )
}
