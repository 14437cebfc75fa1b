import { useState } from 'react'
import { Password, updateMe } from '#contract/accounts.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { detailText } from '#web/foundation/failures.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'
import { useForm } from './useForm.ts'

/** Success and failure each show a toast (the specification, section 7); a mistake is also said beside its field. */
export function usePasswordReset(onDone: () => void) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const [asksCurrent, setAsksCurrent] = useState(false)
  const form = useForm(
    { password: '', current: '' },
    {
      check: ({ password }) => (Password.safeParse(password).success ? {} : { password: t('password.invalid') }),
      async send({ password, current }) {
        await call(updateMe, { body: { password, ...(asksCurrent ? { current_password: current } : {}) } })
        toast.success(t('password.success'))
        onDone()
      },
      onFailure(error) {
        if (!(error instanceof RefusedCall)) {
          toast.failure(error)
          return {}
        }
        // Nothing has failed yet: the server wants the current password as well.
        if (error.key === 'currentPasswordRequired') {
          setAsksCurrent(true)
          return {}
        }
        const [wrong] = error.detail
        const said = wrong === undefined ? translateMessage(error.message, error.values) : detailText(wrong)
        toast.refusal(t('password.failed'), said)
        return error.key === 'currentPasswordWrong' ? { current: said } : { password: said }
      },
    },
  )
  return { ...form, asksCurrent }
}
