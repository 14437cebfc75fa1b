import { Button, Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import { useArrivalFocus } from '#web/kit/useArrivalFocus.ts'
import styles from './LoginScreen.module.css'
import { useLogin } from './useLogin.ts'

/** Remembering keeps the user name here and makes the session longer; passwords are for the browser's own manager. */
export function LoginForm() {
  const t = useTranslate()
  const { username, password, remember, mistakes, pending, change, submit } = useLogin()
  const [knowsName] = useState(username !== '')
  const first = useArrivalFocus(!knowsName)
  const second = useArrivalFocus(knowsName)
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
