import { useState } from 'react'
import type { FormEvent } from 'react'
import { Password, updateMe } from '#contract/accounts.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { detailText } from '#web/foundation/failures.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'

type Form = { password: string; current: string }

/** Success and failure each show a toast (the specification, section 7); a mistake is also said beside its field. */
export function usePasswordReset(onDone: () => void) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const [form, setForm] = useState<Form>({ password: '', current: '' })
  const [asksCurrent, setAsksCurrent] = useState(false)
  const [mistakes, setMistakes] = useState<Partial<Form>>({})
  const [pending, setPending] = useState(false)

  const refused = (error: RefusedCall) => {
    // Nothing has failed yet: one more thing is wanted.
    if (error.key === 'currentPasswordRequired') return setAsksCurrent(true)
    const [wrong] = error.detail
    const said = wrong === undefined ? translateMessage(error.message, error.values) : detailText(wrong)
    setMistakes(error.key === 'currentPasswordWrong' ? { current: said } : { password: said })
    toast.refusal(t('password.failed'), said)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (pending) return
    if (!Password.safeParse(form.password).success) return setMistakes({ password: t('password.invalid') })
    setPending(true)
    try {
      await call(updateMe, { body: { password: form.password, ...(asksCurrent ? { current_password: form.current } : {}) } })
      toast.success(t('password.success'))
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
  return { ...form, asksCurrent, mistakes, pending, change, submit }
}
