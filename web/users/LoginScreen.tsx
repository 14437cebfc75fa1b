import { Button, Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { useState } from 'react'
import { LANGUAGES } from '#contract/preferences.ts'
import { setPreferences, signIn } from '#web/foundation/session.ts'
import { savedLogin, saveLogin } from '#web/foundation/stored.ts'
import { LANGUAGE_ENTRIES } from '#web/i18n/languages.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import styles from './LoginScreen.module.css'
import { ReadingTable } from './ReadingTable.tsx'
import { useInitialFocus, useForm } from './useForm.ts'

export function LoginScreen() {
  const t = useTranslate()
  return (
    <div className={styles.room}>
      <section className={styles.card}>
        <h1 className={styles.title}>{t('login.title')}</h1>
        <p className={styles.lead}>{t('login.lead')}</p>
        <LoginForm />
        <p className={styles.forgot}>{t('login.forgot')}</p>
        <LanguagePicker />
      </section>
      <ReadingTable />
    </div>
  )
}

/** Each language by its own name. After sign-in it is one of the preferences. */
function LanguagePicker() {
  const t = useTranslate()
  const spoken = useLanguage()
  return (
    <div className={styles.pick} role="group" aria-label={t('app.language')}>
      {LANGUAGES.map(language => (
        <button
          key={language}
          type="button"
          lang={language}
          data-language={language}
          aria-pressed={language === spoken}
          onClick={() => setPreferences({ language })}
        >
          {LANGUAGE_ENTRIES[language].name}
        </button>
      ))}
    </div>
  )
}

/**
 * "Remember" stores the user name in this browser and makes the session longer; passwords are for the browser's own
 * manager.
 */
export function LoginForm() {
  const t = useTranslate()
  const { username, password, remember, mistakes, pending, change, submit } = useLogin()
  const [knowsName] = useState(username !== '')
  const first = useInitialFocus(!knowsName)
  const second = useInitialFocus(knowsName)
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        size="md"
        data-testid="username"
        name="username"
        label={t('login.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ref={first}
        value={username}
        error={mistakes.username}
        onChange={event => change({ username: event.currentTarget.value })}
      />
      <SecretInput
        size="md"
        data-testid="password"
        name="password"
        label={t('login.password')}
        autoComplete="current-password"
        ref={second}
        value={password}
        error={mistakes.password}
        onChange={event => change({ password: event.currentTarget.value })}
      />
      <Checkbox
        classNames={{ label: styles.remember }}
        name="remember"
        label={t('login.remember')}
        checked={remember}
        onChange={event => change({ remember: event.currentTarget.checked })}
      />
      <Button data-testid="sign-in" type="submit" size="md" fullWidth className={styles.submit} loading={pending}>
        {t('login.submit')}
      </Button>
    </form>
  )
}

type LoginFields = { username: string; password: string; remember: boolean }

function firstFields(): LoginFields {
  const { rememberPassword, savedUsername } = savedLogin()
  return { username: savedUsername, password: '', remember: rememberPassword }
}

/** Signs in; the page around the form follows the session. A refusal is shown beside the password, with its code. */
function useLogin() {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  return useForm(firstFields, {
    check: ({ username, password }) => ({
      username: username.trim() === '' ? t('login.usernameRequired') : undefined,
      password: password === '' ? t('login.passwordRequired') : undefined,
    }),
    async send({ username, password, remember }) {
      await signIn({ username: username.trim(), password, remember })
      saveLogin({ rememberPassword: remember, savedUsername: username.trim() })
    },
    onRefusal: ({ message, values, code }) => ({
      password: t('toast.refused.text', { message: translateMessage(message, values), code: String(code) }),
    }),
  })
}
