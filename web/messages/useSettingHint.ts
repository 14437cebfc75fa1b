import type { AskFailure } from '#contract/messages.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

/** The setting behind a failure, such as the timeout that was over; only for those who may change it. */
export function useSettingHint(failure: Pick<AskFailure, 'values'> | null): string | null {
  const t = useTranslate()
  const mayChange = useSession(({ user }) => user?.is_superuser === true)
  const setting = failure?.values?.['setting']
  return mayChange && typeof setting === 'string' ? t('message.setting', { setting }) : null
}
