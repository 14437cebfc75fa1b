import { useAllowance } from '#web/accounts/allowance.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { Desk } from '../useDesk.ts'

/** Why a question cannot be sent now, in words; null when it can. The line above the composer speaks for another ask. */
export function useHindrance({ status, choice }: Desk, text: string, otherWaits: boolean): string | null {
  const t = useTranslate()
  const portal = usePortal()
  const told = useAllowance()
  if (portal === undefined) return ''
  if (text.length > portal.max_text_length)
    return t('composer.tooLong', { length: text.length, most: portal.max_text_length })
  if (otherWaits) return ''
  if (status === 'loading' || status === 'failed') return t('composer.loading')
  if (choice === null) return t('newConversation.noSources')
  // The allowance knows better, and says when it opens.
  return choice.remaining === 0 && told === undefined ? t('newConversation.usedUp') : null
}
