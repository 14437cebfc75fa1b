import { type FormEvent, useState } from 'react'
import { Email, Nickname, updateMe, type UserRead } from '#contract/accounts.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { detailText } from '#web/foundation/failures.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'

type Form = { nickname: string; email: string }

/** The form for what others see of one, and where one is reached. */
export function useIdentity(user: UserRead, onDone: () => void) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const [form, setForm] = useState<Form>({ nickname: user.nickname, email: user.email })
  const [mistakes, setMistakes] = useState<Partial<Form>>({})
  const [pending, setPending] = useState(false)

  const refused = (error: RefusedCall) => {
    const [wrong] = error.detail
    const said = wrong === undefined ? translateMessage(error.message, error.values) : detailText(wrong)
    setMistakes(wrong?.loc.includes('email') ? { email: said } : { nickname: said })
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    const found = {
      nickname: Nickname.safeParse(form.nickname).success ? undefined : t('profile.nicknameInvalid'),
      email: Email.safeParse(form.email).success ? undefined : t('detail.invalidEmail'),
    }
    setMistakes(found)
    if (found.nickname !== undefined || found.email !== undefined) return
    setPending(true)
    try {
      useSession.setState({ user: await call(updateMe, { body: { nickname: form.nickname.trim(), email: form.email.trim() } }) })
      toast.success(t('profile.saved'))
      onDone()
    } catch (error) {
      if (error instanceof RefusedCall) refused(error)
      else toast.failure(error)
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
