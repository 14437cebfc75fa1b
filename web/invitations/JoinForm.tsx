import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { acceptInvitation, checkInvitedName } from '#contract/joining.ts'
import { MIN_PASSWORD_LENGTH, Nickname, Password, Username } from '#contract/users.ts'
import { call, type RefusedCall } from '#web/foundation/call.ts'
import { refusalText } from '#web/foundation/failures.ts'
import { enter, setPreferences } from '#web/foundation/session.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import { useForm, useInitialFocus } from '#web/users/useForm.ts'
import styles from './InvitationScreen.module.css'

/** Milliseconds without a key before a user name is checked. */
const SETTLED = 300

type JoinFormProps = {
  token: string
  /** The invitation was used or ended while the form was open. */
  onClosed(): void
}

/** Makes an account and signs in. The user name is checked while it is typed. */
export function JoinForm({ token, onClosed }: JoinFormProps) {
  const t = useTranslate()
  const { nickname, username, password, mistakes, pending, change, submit } = useJoining(token, onClosed)
  const isFree = useNameCheck(token, username)
  const first = useInitialFocus()
  return (
    <form className={styles.form} onSubmit={event => void submit(event)} noValidate>
      <TextInput
        size="md"
        name="nickname"
        label={t('invitation.nickname')}
        autoComplete="nickname"
        data-testid="join-nickname"
        ref={first}
        value={nickname}
        error={mistakes.nickname}
        onChange={event => change({ nickname: event.currentTarget.value })}
      />
      <TextInput
        size="md"
        name="username"
        label={t('invitation.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-testid="join-username"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={username}
        description={<NameHelp isFree={isFree} />}
        error={mistakes.username ?? (isFree === false ? t('invitation.username.taken') : undefined)}
        onChange={event => change({ username: event.currentTarget.value })}
      />
      <SecretInput
        size="md"
        name="password"
        label={t('invitation.password')}
        autoComplete="new-password"
        data-testid="join-password"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={password}
        description={
          Password.safeParse(password).success
            ? t('invitation.password.longEnough', { count: [...password].length })
            : t('invitation.password.help', { least: MIN_PASSWORD_LENGTH })
        }
        error={mistakes.password}
        onChange={event => change({ password: event.currentTarget.value })}
      />
      <Button data-testid="join" type="submit" size="md" fullWidth loading={pending}>
        {t('invitation.submit')}
      </Button>
    </form>
  )
}

function NameHelp({ isFree }: { isFree: boolean | null }) {
  const t = useTranslate()
  return (
    <span role="status" className={isFree === true ? styles.free : undefined}>
      {isFree === true ? t('invitation.username.free') : isFree === null && t('invitation.username.help')}
    </span>
  )
}

/** Null while it is not known. */
function useNameCheck(token: string, typed: string): boolean | null {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useQuery({
    queryKey: ['invitation', token, 'name', settled],
    queryFn: ({ signal }) => call(checkInvitedName, { body: { token, username: settled } }, { signal }),
    enabled: settled === typed && Username.safeParse(settled).success,
    staleTime: 0,
    retry: false,
    meta: { quiet: true },
  })
  return settled === typed ? (data?.is_free ?? null) : null
}

const EMPTY = { nickname: '', username: '', password: '' }
const CLOSED: readonly (string | null)[] = ['invitationUsed', 'invitationExpired', 'invitationNotFound']

function useJoining(token: string, onClosed: () => void) {
  const t = useTranslate()
  const language = useLanguage()
  return useForm(EMPTY, {
    check: ({ nickname, username, password }) => ({
      ...(!Nickname.safeParse(nickname).success && { nickname: t('profile.nicknameInvalid') }),
      ...(!Username.safeParse(username).success && { username: t('detail.invalidUsername') }),
      ...(!Password.safeParse(password).success && { password: t('password.invalid') }),
    }),
    async send(account) {
      // The account has the language in which somebody has read the invitation.
      setPreferences({ language })
      await enter(() => call(acceptInvitation, { body: { token, ...account } }))
    },
    onRefusal(refusal) {
      if (CLOSED.includes(refusal.key)) {
        onClosed()
        return {}
      }
      return { [fieldOf(refusal)]: refusalText(refusal) }
    },
  })
}

/** The field beside which a refusal is shown. */
function fieldOf({ key, detail }: RefusedCall): keyof typeof EMPTY {
  if (key === 'userAlreadyExists') return 'username'
  return (
    (['nickname', 'username', 'password'] as const).find(field => detail.some(({ loc }) => loc.includes(field))) ??
    'password'
  )
}
