import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import styles from './step.module.css'

/** The prompts of generated pictures, each with a copy button. */
export function Prompts({ prompts }: { prompts: readonly string[] }) {
  return (
    <ul className={styles.prompts}>
      {prompts.map((prompt, at) => (
        <li key={at}>
          <span dir="auto">{prompt}</span>
          <CopyPrompt prompt={prompt} />
        </li>
      ))}
    </ul>
  )
}

export function CopyPrompt({ prompt }: { prompt: string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  const label = t(copied ? 'message.copied' : 'message.copyPrompt')
  return (
    <button type="button" className={styles.copy} aria-label={label} data-tip={label} onClick={() => void copy(prompt)}>
      <Icon size={14} stroke={1.6} aria-hidden />
    </button>
  )
}
