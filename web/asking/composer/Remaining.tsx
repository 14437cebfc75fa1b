import { remainingOf, sourceOf, useAllowance } from '#web/accounts/allowance.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { ModelChoices } from './modelChoice.tsx'

/** How many questions remain, beside the send button; nothing where nothing is limited. */
export function Remaining({ choice }: { choice: ModelChoices | null }) {
  const t = useTranslate()
  const told = useAllowance()
  return <span data-testid="allowance">{choice === null ? '' : words(choice)}</span>

  function words({ source, model, remaining: counted }: ModelChoices): string {
    const of = told === undefined ? null : sourceOf(told.allowance, source)
    if (of === null) return counted === null ? '' : t('allowance.remaining', { count: counted })
    const left = remainingOf(of, model)
    if (left === null) return ''
    const { count, window_seconds } = left
    if (count === 0) return t('allowance.usedUp')
    return window_seconds === null
      ? t('allowance.remaining', { count })
      : t('allowance.remainingInWindow', { count, window_seconds })
  }
}
