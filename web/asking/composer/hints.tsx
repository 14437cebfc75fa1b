import { useDeferredValue } from 'react'
import { ANSWER_SHARE, roughTokens } from '#contract/context.ts'
import type { SendKey } from '#contract/preferences.ts'
import { remainingOf, sourceOf, useAllowance } from '#web/users/allowance.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { clockText, useSecondsSince } from '#web/foundation/times.ts'
import { useHasShares } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { ShareCost } from '#web/shares/lazyShares.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './composer.module.css'
import type { ModelChoices } from '../conversation/modelChoice.ts'

/** No hint below this many tokens. */
const MANY_TOKENS = 1000

/** How many tokens a long text has, and whether they are too many for the chosen model. */
export function TokenHint({ text, choice }: { text: string; choice: ModelChoices | null }) {
  const t = useTranslate()
  const counted = useDeferredValue(text)
  // No character is more than one token.
  const tokens = counted.length < MANY_TOKENS ? 0 : roughTokens(counted)
  if (tokens < MANY_TOKENS) return null
  const most = choice?.models.find(({ code }) => code === choice.model)?.context_length ?? null
  const isTooLong = most !== null && tokens > most * (1 - ANSWER_SHARE)
  return (
    <span
      className={isTooLong ? styles.tooLong : undefined}
      data-testid="token-hint"
      title={isTooLong ? t('composer.tokensTooMany') : undefined}
    >
      <span>{most === null ? t('composer.tokens', { tokens }) : t('composer.tokensOf', { tokens, most })}</span>
      {isTooLong && <> {t('composer.tokensTooMany')}</>}
    </span>
  )
}

/** How many questions remain with this model; empty without a limit. */
export function Remaining({ choice }: { choice: ModelChoices | null }) {
  const t = useTranslate()
  const allowance = useAllowance()?.allowance
  const hasShares = useHasShares(choice?.source)
  if (choice === null) return <span data-testid="allowance" />
  const text = textOf(choice)
  return (
    <>
      <span data-testid="allowance">{text}</span>
      {hasShares && (
        <ShareCost source={choice.source} model={choice.model} alone={text === ''} onLoadError={() => undefined} />
      )}
    </>
  )

  function textOf({ source, model, remaining }: ModelChoices): string {
    const of = allowance === undefined ? null : sourceOf(allowance, source)
    if (of === null) return remaining === null ? '' : t('allowance.remaining', { count: remaining })
    const fewest = remainingOf(of, model)
    if (fewest === null) return ''
    const { count, window_seconds } = fewest
    if (count === 0) return t('allowance.usedUp')
    return window_seconds === null
      ? t('allowance.remaining', { count })
      : t('allowance.remainingInWindow', { count, window_seconds })
  }
}

/** How long the answer has been growing. */
export function GrowingFor({ since }: { since: number }) {
  const t = useTranslate()
  const seconds = useSecondsSince(since)
  return (
    <span
      className={styles.growing}
      role="timer"
      aria-live="off"
      aria-label={t('composer.growingFor', { growing_seconds: seconds })}
      data-testid="growing-for"
    >
      {clockText(seconds)}
    </span>
  )
}

const SEND_KEY_HINTS = {
  Enter: 'composer.hintEnter',
  'Shift+Enter': 'composer.hintShiftEnter',
  'Ctrl+Enter': 'composer.hintCtrlEnter',
} as const satisfies Record<SendKey, string>

/** The line under the composer; hidden on phones. */
export function SendHint({ onEarlier }: { onEarlier: (() => void) | null }) {
  const t = useTranslate()
  const { sendKey } = usePreferences()
  const isDemonstration = usePortal()?.demonstration === true
  return (
    <p className={styles.hints}>
      <span>{t(SEND_KEY_HINTS[sendKey])}</span>
      {onEarlier !== null && (
        <span>
          {t('composer.hintFiles')}{' '}
          <button type="button" className={styles.earlier} data-testid="attach-used" onClick={onEarlier}>
            {t('composer.usedFiles')}
          </button>
        </span>
      )}
      <span>{t(isDemonstration ? 'composer.demonstration' : 'composer.mistakes')}</span>
    </p>
  )
}
