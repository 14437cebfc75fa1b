import { useNavigate } from '@tanstack/react-router'
import { savedLogin } from '#web/foundation/remembered.ts'
import { leave } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/dialogs.ts'
import { toast } from '#web/kit/toast.ts'

/** Asks first; then ends the session and goes to the login page. */
export function useLogout(): () => Promise<void> {
  const t = useTranslate()
  const navigate = useNavigate()
  return async () => {
    if (
      !(await confirm({
        title: t('logout.title'),
        text: t(savedLogin().rememberPassword ? 'logout.text' : 'logout.textForgetting'),
        verb: t('logout.verb'),
      }))
    )
      return
    await leave(() => navigate({ to: '/login' }))
    toast.success(t('logout.success'))
  }
}
