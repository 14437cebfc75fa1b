import { useContext, useState } from 'react'
import type { ReactNode } from 'react'
import { IconCheck, IconCopy, IconTextWrap } from '#web/kit/icons.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './code.module.css'
import { useCopied } from '#web/kit/useCopied.ts'
import { HighlightedCode } from './HighlightedCode.tsx'
import { WrapCode } from './settings.ts'

type CodeBlockProps = {
  code: string
  language: string | null
  /** Stands after the code while its closing line has not come. */
  caret: ReactNode
}

export function CodeBlock({ code, language, caret }: CodeBlockProps) {
  const t = useTranslate()
  const preferred = useContext(WrapCode)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const wrap = chosen ?? preferred
  return (
    <div className={styles.block} dir="ltr">
      <div className={styles.head}>
        <span className={styles.language}>{language}</span>
        <button
          type="button"
          className={styles.button}
          aria-pressed={wrap}
          aria-label={t('message.wrapLines')}
          data-tip={t('message.wrapLines')}
          onClick={() => setChosen(!wrap)}
        >
          <IconTextWrap size={16} stroke={1.6} aria-hidden />
        </button>
        <CopyButton code={code} />
      </div>
      <pre className={wrap ? styles.wrapped : styles.plain} tabIndex={0} role="group" aria-label={t('message.code')}>
        <HighlightedCode code={code} language={language} caret={caret} />
      </pre>
    </div>
  )
}

function CopyButton({ code }: { code: string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  const label = t(copied ? 'message.codeCopied' : 'message.copyCode')
  return (
    <button type="button" className={styles.button} aria-label={label} data-tip={label} onClick={() => void copy(code)}>
      <Icon size={16} stroke={1.6} aria-hidden />
    </button>
  )
}
