import { useDeferredValue } from 'react'
import { ANSWER_SHARE, roughTokens } from '#contract/context.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './composer.module.css'
import type { ModelChoices } from './modelChoice.tsx'

/** Below this nothing is shown. */
const LONG = 1000

/** How much a long text is for a model, and whether it is too much for the chosen one. */
export function TokenHint({ text, choice }: { text: string; choice: ModelChoices | null }) {
  const t = useTranslate()
  const counted = useDeferredValue(text)
  // No character is more than a token.
  const tokens = counted.length < LONG ? 0 : roughTokens(counted)
  if (tokens < LONG) return null
  const most = choice?.models.find(({ code }) => code === choice.model)?.context_length ?? null
  const words = most === null ? t('composer.tokens', { tokens }) : t('composer.tokensOf', { tokens, most })
  const isTooLong = most !== null && tokens > most * (1 - ANSWER_SHARE)
  return (
    <span
      className={isTooLong ? styles.tooLong : undefined}
      data-testid="token-hint"
      title={isTooLong ? t('composer.tokensTooMany') : undefined}
    >
      {words}
      {isTooLong && <> {t('composer.tokensTooMany')}</>}
    </span>
  )
}
