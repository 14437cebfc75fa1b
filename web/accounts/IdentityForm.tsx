import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useEffect, useRef } from 'react'
import type { UserRead } from '#contract/accounts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useArrivalFocus } from '#web/kit/useArrivalFocus.ts'
import styles from './ProfileDialog.module.css'
import { useIdentity } from './useIdentity.ts'

export function IdentityForm({ user, onDone }: { user: UserRead; onDone(): void }) {
  const t = useTranslate()
  const { nickname, email, mistakes, pending, change, submit } = useIdentity(user, onDone)
  const form = useRef<HTMLFormElement>(null)
  // The button that opens it is at the end of the dialog.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <form ref={form} className={styles.edit} onSubmit={submit} noValidate>
      <TextInput
        ref={useArrivalFocus()}
        label={t('profile.nickname')}
        autoComplete="nickname"
        maxLength={64}
        value={nickname}
        error={mistakes.nickname}
        onChange={event => change({ nickname: event.currentTarget.value })}
      />
      <TextInput
        label={t('profile.email')}
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        error={mistakes.email}
        onChange={event => change({ email: event.currentTarget.value })}
      />
      <div className={styles.editActions}>
        <Button variant="subtle" color="gray" onClick={onDone}>
          {t('kit.cancel')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('kit.save')}
        </Button>
      </div>
    </form>
  )
}
