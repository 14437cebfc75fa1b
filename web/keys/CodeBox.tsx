import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import { HighlightedCode } from '#web/messages/markdown/code/CodeBlock.tsx'
import type { Snippet } from './connection.ts'
import styles from './keys.module.css'

type CodeBoxProps = { title: string; snippet: Snippet; language: string; testId: string }

/** What is pasted: its button copies the whole key. */
export function CodeBox({ title, snippet, language, testId }: CodeBoxProps) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  return (
    <div className={styles.code} dir="ltr" translate="no">
      <div className={styles.codeHead}>
        <span>{title}</span>
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
      <pre tabIndex={0} data-testid={testId}>
        <HighlightedCode code={snippet.shown} language={language} caret={null} />
      </pre>
    </div>
  )
}
