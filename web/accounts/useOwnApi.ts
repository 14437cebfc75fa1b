import { type FormEvent, useState } from 'react'
import { updateOwnApi } from '#contract/accounts.ts'
import type { ApiSetting } from '#contract/limits.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'
import { isAddress, sameHost } from './ownAddress.ts'

type OwnApi = ApiSetting['custom_openai_api_settings']
type Form = { url: string; key: string }

/** The form for an address and key of one's own. The key is written and never comes back: blank keeps it. */
export function useOwnApi(stored: OwnApi) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const [form, setForm] = useState<Form>({ url: stored.url ?? '', key: '' })
  const [mistake, setMistake] = useState<string | null>(null)
  const [pending, setPending] = useState(false)

  const write = async (body: OwnApi, said: string) => {
    if (pending) return
    setPending(true)
    try {
      useSession.setState({ user: await call(updateOwnApi, { body }) })
      setForm({ url: body.url ?? '', key: '' })
      toast.success(said)
    } catch (error) {
      if (error instanceof RefusedCall) setMistake(error.detail.length > 0 ? t('ownApi.urlWrong') : translateMessage(error.message, error.values))
      else toast.failure(error)
    } finally {
      setPending(false)
    }
  }

  return {
    ...form,
    mistake,
    pending,
    /** A key goes only where it was entered for: with another host it has to be entered again. */
    keepsKey: stored.key !== null && sameHost(stored.url, form.url),
    change(changes: Partial<Form>) {
      setForm({ ...form, ...changes })
      setMistake(null)
    },
    submit(event: FormEvent) {
      event.preventDefault()
      const url = form.url.trim()
      if (url === '') setMistake(t('ownApi.urlRequired'))
      else if (!isAddress(url)) setMistake(t('ownApi.urlWrong'))
      else void write({ url, key: form.key }, t('ownApi.saved'))
    },
    clear: () => write({ url: null, key: null }, t('ownApi.cleared')),
  }
}
