import { Button, Checkbox, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { useEffect, useState } from 'react'
import type { ResultOf } from '#contract/call.ts'
import { linkIdentity, listSignInProviders, SIGN_IN_PROBLEMS } from '#contract/signIn.ts'
import { call } from '../foundation/call.ts'
import { enter, signIn } from '../foundation/session.ts'
import { savedLogin, saveLogin } from '../foundation/stored.ts'
import { useTranslate, useTranslateMessage } from '../i18n/useTranslate.ts'
import { LanguagePicker } from '../kit/LanguagePicker.tsx'
import { lazyWithTexts } from '../kit/lazyComponent.tsx'
import { SecretInput } from '../kit/SecretInput.tsx'
import styles from './LoginScreen.module.css'
import { useForm, useInitialFocus } from './useForm.ts'

const SignInProblem = lazyWithTexts('signIn', () => import('./SignInProblem.tsx').then(module => module.SignInProblem))

/** A failure to load has been reported; the form is there all the same. */
const nothing = (): void => undefined

type LoginScreenProps = {
  /** Why a provider signed nobody in; whatever else the address says is not shown. */
  problem?: string | undefined
  /** The page to go to afterwards. */
  redirect?: string | null
}

export function LoginScreen({ problem, redirect = null }: LoginScreenProps) {
  const t = useTranslate()
  const known = SIGN_IN_PROBLEMS.find(each => each === problem)
  return (
    <div className={styles.room}>
      <section className={styles.card}>
        <h1 className={styles.title}>{t('login.title')}</h1>
        <p className={styles.lead}>{t('login.lead')}</p>
        {known !== undefined && <SignInProblem problem={known} onLoadError={nothing} />}
        <ProviderLinks redirect={redirect} />
        <LoginForm isLinking={known === 'linkNeeded'} />
        <p className={styles.forgot}>{t('login.forgot')}</p>
        <LanguagePicker />
      </section>
      <ReadingTable />
    </div>
  )
}

/** Plain links to other ways of signing in, in the order that the administrator has set. */
function ProviderLinks({ redirect }: { redirect: string | null }) {
  const t = useTranslate()
  const [providers, setProviders] = useState<ResultOf<typeof listSignInProviders>>([])
  useEffect(() => {
    // Without them the form is there all the same.
    call(listSignInProviders, {}).then(setProviders, () => undefined)
  }, [])
  if (providers.length === 0) return null
  const query = redirect === null ? '' : `?redirect=${encodeURIComponent(redirect)}`
  return (
    <div className={styles.providers}>
      {providers.map(({ id, label }) => (
        <a key={id} data-testid="sign-in-provider" href={`/api/auth/provider/${id}/start${query}`}>
          <i aria-hidden="true">{label.slice(0, 1)}</i>
          {t('login.withProvider', { label })}
        </a>
      ))}
      <p>{t('login.orPassword')}</p>
    </div>
  )
}

/**
 * "Remember" stores the user name in this browser and makes the session longer; passwords are for the browser's own
 * manager.
 */
export function LoginForm({ isLinking = false }: { isLinking?: boolean }) {
  const t = useTranslate()
  const { username, password, remember, mistakes, pending, change, submit } = useLogin(isLinking)
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
function useLogin(isLinking: boolean) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  return useForm(firstFields, {
    check: ({ username, password }) => ({
      username: username.trim() === '' ? t('login.usernameRequired') : undefined,
      password: password === '' ? t('login.passwordRequired') : undefined,
    }),
    async send({ username, password, remember }) {
      const credentials = { username: username.trim(), password }
      if (isLinking) await enter(() => call(linkIdentity, { body: credentials }))
      else await signIn({ ...credentials, remember })
      saveLogin({ rememberPassword: remember, savedUsername: username.trim() })
    },
    onRefusal: ({ message, values, code }) => ({
      password: t('toast.refused.text', { message: translateMessage(message, values), code: String(code) }),
    }),
  })
}

const SHADE = 'M50 44c4-28 28-42 70-42s66 14 70 42c0 2-1 3-3 3H53c-2 0-3-1-3-3z'
const LIGHTS = [
  { x: 40, lit: false },
  { x: 320, lit: true },
  { x: 600, lit: false },
  { x: 880, lit: true },
  { x: 1160, lit: false },
]

/** The long table along the bottom edge; decoration. */
function ReadingTable() {
  return (
    <svg className={styles.table} viewBox="0 0 1440 250" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id="glow" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={styles.glow} stopOpacity=".6" />
          <stop offset="1" className={styles.glow} stopOpacity=".04" />
        </linearGradient>
      </defs>
      {LIGHTS.map(light => (
        <TableLight key={light.x} {...light} />
      ))}
      <rect className={styles.newBook} x="520" y="166" width="62" height="11" rx="2" />
      <rect className={styles.book} x="526" y="154" width="52" height="11" rx="2" />
      <path className={styles.book} d="M830 177l4-6c14-5 26-4 36 3c10-7 22-8 36-3l4 6z" />
      <rect className={styles.book} x="284" y="166" width="58" height="11" rx="2" />
      <rect className={styles.edge} x="-200" y="178" width="1840" height="10" />
      <rect className={styles.book} x="-200" y="188" width="1840" height="2" />
      <path className={styles.line} d="M150 190l-10 60M460 190v60M980 190v60M1290 190l10 60" opacity=".6" />
    </svg>
  )
}

function TableLight({ x, lit }: { x: number; lit: boolean }) {
  return (
    <g transform={`translate(${x} 36)`}>
      {lit && <path fill="url(#glow)" d="M66 46h108l44 96H22z" />}
      <path className={styles.line} d="M120 47v91M152 47v16M96 141h48" />
      <path className={lit ? styles.shade : styles.line} d={SHADE} />
    </g>
  )
}
