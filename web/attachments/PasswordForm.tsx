import { useState } from 'react'
import { Button } from '@mantine/core'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './attachments.module.css'

type PasswordFormProps = { name: string; isWrong: boolean; onGive(password: string): void }

/** A button, and the field in its place once it is pressed. It is no form, since it stands in that of the question. */
export function PasswordForm({ name, isWrong, onGive }: PasswordFormProps) {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(isWrong)
  const [password, setPassword] = useState('')
  if (!isOpen)
    return (
      <Button size="xs" variant="default" className={styles.give} onClick={() => setOpen(true)}>
        {t('attachments.enterPassword')}
      </Button>
    )
  const give = () => {
    if (password !== '') onGive(password)
  }
  return (
    <span className={styles.password}>
      <input
        ref={focus}
        type="password"
        autoComplete="off"
        value={password}
        aria-label={t('attachments.passwordOf', { name })}
        onChange={event => setPassword(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') setOpen(false)
          if (event.key !== 'Enter' || isForInputMethod(event.nativeEvent)) return
          event.preventDefault()
          give()
        }}
      />
      <Button size="xs" variant="default" disabled={password === ''} onClick={give}>
        {t('attachments.open')}
      </Button>
    </span>
  )
}

/** A ref for the field that replaces the pressed button. */
const focus = (field: HTMLInputElement | null): void => field?.focus()
