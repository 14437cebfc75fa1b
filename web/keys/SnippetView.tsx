import { useTranslate } from '#web/i18n/useTranslate.ts'
import { CodeBox } from './CodeBox.tsx'
import type { Snippet } from './connection.ts'
import type { Tool } from './tools/tool.ts'
import styles from './keys.module.css'

/** What is pasted, and where. */
export function SnippetView({ tool, snippet }: { tool: Tool; snippet: Snippet }) {
  const t = useTranslate()
  const { file, install } = tool
  return (
    <li>
      <h3>
        {t(file === null ? 'keys.step.terminal' : 'keys.step.file')}
        <small>{t(snippet.isWhole ? 'keys.snippet.whole' : 'keys.snippet.variable')}</small>
      </h3>
      <CodeBox
        key={tool.id}
        title={file ?? t('keys.terminal')}
        snippet={snippet}
        language={file?.split('.').at(-1) ?? 'bash'}
        testId="tool-snippet"
      />
      {install !== null && (
        <p className={styles.help}>
          {t('keys.install')} <code>{install}</code>
        </p>
      )}
    </li>
  )
}
