import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { readModelsAgain } from '#contract/configuration/configuration.ts'
import { saveSettings } from '#contract/configuration/credentials.ts'
import { baseAddressOf } from '#contract/settings.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from '#web/kit/Note.tsx'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'
import styles from '#web/admin/shell/page.module.css'

/** While the built-in simulator answers: says so, and connects a real upstream. */
export function ConnectCard() {
  const t = useTranslate()
  return (
    <>
      <Note tone="green" title={t('system.demonstration')}>
        {t('system.demonstration.why')}
      </Note>
      <section className={styles.card}>
        <h2>{t('system.connect')}</h2>
        <ConnectForm />
        <details className={styles.how}>
          <summary>{t('system.connect.other')}</summary>
          <p>{t('system.connect.key')}</p>
          <TerminalLines text="OPENAI_API_KEY=sk-... npm start" />
          <p>{t('system.connect.url')}</p>
          <TerminalLines text="OPENAI_BASE_URL=http://127.0.0.1:11434/v1/ npm start" />
          <p>{t('system.connect.models')}</p>
        </details>
      </section>
    </>
  )
}

function ConnectForm() {
  const t = useTranslate()
  const { address, key, mistake, pending, change, submit } = useConnect()
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        type="url"
        label={t('system.connect.address')}
        description={t('system.connect.address.help')}
        placeholder="https://api.openai.com/v1/"
        value={address}
        error={mistake}
        onChange={event => change({ address: event.currentTarget.value })}
      />
      <SecretInput
        label={t('system.connect.secret')}
        description={t('system.connect.secret.help')}
        autoComplete="off"
        value={key}
        onChange={event => change({ key: event.currentTarget.value })}
      />
      <div>
        <Button type="submit" loading={pending} disabled={address.trim() === '' && key.trim() === ''}>
          {t('system.connect.verb')}
        </Button>
      </div>
    </form>
  )
}

/** Stores an address, a key, or both: the key is bound to the address that comes with it. */
function useConnect() {
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
      await call(saveSettings, {
        body: {
          ...(address !== '' && { openai_api: { openai_base_url: address } }),
          ...(key !== '' && { credentials: { openai_api_key: key } }),
        },
      })
      toast.success(t('system.connect.done'))
      await queries.invalidateQueries({ queryKey: ['portal'] })
      // Its models are listed a moment later. An endpoint may list none or not run yet; then the models above stay on
      // offer.
      void call(readModelsAgain, {}).then(
        () => queries.invalidateQueries({ queryKey: ['portal'] }),
        () => undefined,
      )
    } catch (error) {
      reportFailure(error)
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
