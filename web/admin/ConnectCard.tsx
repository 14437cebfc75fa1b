import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'
import { Note } from '#web/kit/Note.tsx'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import styles from './admin.module.css'
import { useConnect } from './useConnect.ts'

/** While the built-in simulator answers: says so, and connects a real upstream. */
export function ConnectCard() {
  const t = useTranslate()
  return (
    <>
      <div className={styles.wide}>
        <Note tone="green" title={t('system.demonstration')}>
          {t('system.demonstration.why')}
        </Note>
      </div>
      <section className={`${styles.card} ${styles.wide}`}>
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
