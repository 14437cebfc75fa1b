import { useTranslate } from '#web/i18n/useTranslate.ts'
import { CodeBox } from './CodeBox.tsx'
import { snippetFor } from './connection.ts'
import { STATUS_LINES } from './tools/statusLines.ts'
import styles from './keys.module.css'

type StatusLinesProps = { values: Parameters<typeof snippetFor>[1] }

/** What is left, in the terminal itself: nothing of it is shown by tools. */
export function StatusLines({ values }: StatusLinesProps) {
  const t = useTranslate()
  return (
    <details className={styles.lines}>
      <summary>
        <h2>{t('keys.lines')}</h2>
        <span className={styles.hint}>{t('keys.lines.more')}</span>
      </summary>
      {STATUS_LINES.map(line => (
        <CodeBox
          key={line.id}
          title={t(`keys.lines.${line.id}`)}
          snippet={snippetFor(line, values)}
          language="bash"
          testId="status-line"
        />
      ))}
    </details>
  )
}
