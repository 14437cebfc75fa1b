import { Email, Nickname, updateMe, type UserRead } from '#contract/accounts.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { detailText } from '#web/foundation/failures.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'
import { useForm } from './useForm.ts'

/** The form for nickname and e-mail address. */
export function useIdentity(user: UserRead, onDone: () => void) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  return useForm(
    { nickname: user.nickname, email: user.email },
    {
      check: ({ nickname, email }) => ({
        nickname: Nickname.safeParse(nickname).success ? undefined : t('profile.nicknameInvalid'),
        email: Email.safeParse(email).success ? undefined : t('detail.invalidEmail'),
      }),
      async send({ nickname, email }) {
        useSession.setState({
          user: await call(updateMe, { body: { nickname: nickname.trim(), email: email.trim() } }),
        })
        toast.success(t('profile.saved'))
        onDone()
      },
      onFailure(error) {
        if (!(error instanceof RefusedCall)) {
          toast.failure(error)
          return {}
        }
        const [wrong] = error.detail
        const said = wrong === undefined ? translateMessage(error.message, error.values) : detailText(wrong)
        return wrong?.loc.includes('email') ? { email: said } : { nickname: said }
      },
    },
  )
}
