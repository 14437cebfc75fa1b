import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { baseAddressOf } from '#contract/settings.ts'
import { readModelsAgain, updateConfiguration } from '#contract/configuration.ts'
import { updateCredentials } from '#contract/credentials.ts'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'

/** Stores an address, a key, or both. The address goes first: a key is bound to the address it was entered for. */
export function useConnect() {
  const t = useTranslate()
  const queries = useQueryClient()
  const [form, setForm] = useState({ address: '', key: '' })
  const [mistake, setMistake] = useState<string | null>(null)
  const [pending, setPending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const address = form.address.trim()
    const key = form.key.trim()
    if (address !== '' && baseAddressOf(address) === null) return setMistake(t('system.connect.wrong'))
    setPending(true)
    try {
      if (address !== '') await call(updateConfiguration, { body: { openai_api: { openai_base_url: address } } })
      if (key !== '') await call(updateCredentials, { body: { openai_api_key: key } })
      toast.success(t('system.connect.done'))
      await queries.invalidateQueries({ queryKey: ['portal'] })
      // Its models are there a moment later. An endpoint may list none, or not be started yet: what is offered then has been shown above.
      void call(readModelsAgain, {}).then(
        () => queries.invalidateQueries({ queryKey: ['portal'] }),
        () => undefined,
      )
    } catch (error) {
      toast.failure(error)
    } finally {
      setPending(false)
    }
  }

  const change = (changes: Partial<typeof form>) => {
    setForm({ ...form, ...changes })
    setMistake(null)
  }
  return { ...form, mistake, pending, change, submit }
}
