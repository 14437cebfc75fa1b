import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import type { Snippet } from './connection.ts'
import type { Tool } from './tools/tool.ts'
import styles from './keys.module.css'

/** What is pasted, and where. */
export function SnippetView({ tool, snippet }: { tool: Tool; snippet: Snippet }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  return (
    <li>
      <h3>
        {t(tool.file === null ? 'keys.step.terminal' : 'keys.step.file')}
        <small>{t(snippet.isWhole ? 'keys.snippet.whole' : 'keys.snippet.variable')}</small>
      </h3>
      <div className={styles.code}>
        <div className={styles.codeHead}>
          <span>{tool.file ?? t('keys.terminal')}</span>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<Icon size={14} aria-hidden />}
            onClick={() => void copy(snippet.copied)}
          >
            {t(copied ? 'kit.copied' : 'kit.copy')}
          </Button>
        </div>
        {/* Scrolled by keyboard too, where it is wider than the page. */}
        <pre tabIndex={0} data-testid="tool-snippet">
          <code>{snippet.shown}</code>
        </pre>
      </div>
      {tool.install !== null && (
        <p className={styles.help}>
          {t('keys.install')} <code>{tool.install}</code>
        </p>
      )}
    </li>
  )
}
