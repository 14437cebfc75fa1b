import { useState } from 'react'
import type { FormEvent } from 'react'
import { RefusedCall } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { saveLogin, savedLogin } from '#web/foundation/remembered.ts'
import { signIn } from '#web/foundation/session.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'

type Form = { username: string; password: string; remember: boolean }
type Mistakes = { username?: string; password?: string }

function firstForm(): Form {
  const { rememberPassword, savedUsername } = savedLogin()
  return { username: savedUsername, password: '', remember: rememberPassword }
}

/** Who has signed in is seen in the session; where to go next is up to the page around the form. */
export function useLogin() {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const [form, setForm] = useState(firstForm)
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [pending, setPending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const missing = missingIn(form)
    setMistakes({ username: missing.username && t(missing.username), password: missing.password && t(missing.password) })
    if (missing.username !== undefined || missing.password !== undefined) return
    setPending(true)
    try {
      await signIn({ ...form, username: form.username.trim() })
      saveLogin({ rememberPassword: form.remember, savedUsername: form.username.trim() })
    } catch (error) {
      reportFailure(error)
      if (error instanceof RefusedCall) setMistakes({ password: translateMessage(error.message, error.values) })
    } finally {
      setPending(false)
    }
  }

  const change = (changes: Partial<Form>) => {
    setForm({ ...form, ...changes })
    setMistakes({})
  }
  return { ...form, mistakes, pending, change, submit }
}

function missingIn({ username, password }: Form) {
  return {
    username: username.trim() === '' ? 'login.usernameRequired' as const : undefined,
    password: password === '' ? 'login.passwordRequired' as const : undefined,
  }
}
