import { RefusedCall } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { saveLogin, savedLogin } from '#web/foundation/remembered.ts'
import { signIn } from '#web/foundation/session.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { useForm } from './useForm.ts'

type Form = { username: string; password: string; remember: boolean }

function firstForm(): Form {
  const { rememberPassword, savedUsername } = savedLogin()
  return { username: savedUsername, password: '', remember: rememberPassword }
}

/** Signs in. The result is seen in the session, and the page around the form decides where to go next. A refusal is shown at the field, with its code. */
export function useLogin() {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  return useForm(firstForm, {
    check: ({ username, password }) => ({
      username: username.trim() === '' ? t('login.usernameRequired') : undefined,
      password: password === '' ? t('login.passwordRequired') : undefined,
    }),
    async send({ username, password, remember }) {
      await signIn({ username: username.trim(), password, remember })
      saveLogin({ rememberPassword: remember, savedUsername: username.trim() })
    },
    onFailure(error) {
      if (error instanceof RefusedCall) {
        return {
          password: t('toast.refused.text', {
            message: translateMessage(error.message, error.values),
            code: String(error.code),
          }),
        }
      }
      reportFailure(error)
      return {}
    },
  })
}
