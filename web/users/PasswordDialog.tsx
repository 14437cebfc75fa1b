import { Button } from '@mantine/core'
import { useState } from 'react'
import { Password, updateMe } from '#contract/users.ts'
import { call } from '#web/foundation/call.ts'
import { refusalText } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import { useInitialFocus, useForm } from './useForm.ts'

/**
 * One input; the current password is asked for only when the server wants it, because the session is no longer fresh.
 */
export function PasswordDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { password, current, asksCurrent, mistakes, pending, change, submit } = usePasswordReset(onClose)
  return (
    <Dialog title={t('password.title')} width={420} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        {asksCurrent && (
          <CurrentPassword value={current} mistake={mistakes.current} onChange={typed => change({ current: typed })} />
        )}
        <SecretInput
          label={t('password.new')}
          description={mistakes.password === undefined && t('password.new.help')}
          autoComplete="new-password"
          data-autofocus
          value={password}
          error={mistakes.password}
          onChange={event => change({ password: event.currentTarget.value })}
        />
        <DialogFooter>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('kit.cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('password.submit')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

function CurrentPassword({
  value,
  mistake,
  onChange,
}: {
  value: string
  mistake?: string
  onChange(typed: string): void
}) {
  const t = useTranslate()
  return (
    <SecretInput
      mb={16}
      label={t('password.current')}
      description={t('errors.currentPasswordRequired')}
      autoComplete="current-password"
      ref={useInitialFocus()}
      value={value}
      error={mistake}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

/** Success and failure each show a toast (the specification, section 7); a mistake is also said beside its field. */
function usePasswordReset(onDone: () => void) {
  const t = useTranslate()
  const [asksCurrent, setAsksCurrent] = useState(false)
  const form = useForm(
    { password: '', current: '' },
    {
      check: ({ password }) => (Password.safeParse(password).success ? {} : { password: t('password.invalid') }),
      async send({ password, current }) {
        await call(updateMe, { body: { password, ...(asksCurrent ? { current_password: current } : {}) } })
        toast.success(t('password.success'))
        onDone()
      },
      onRefusal(refusal) {
        // This is no failure: the server asks for the current password as well.
        if (refusal.key === 'currentPasswordRequired') {
          setAsksCurrent(true)
          return {}
        }
        const text = refusalText(refusal)
        toast.refusal(t('password.failed'), text)
        return refusal.key === 'currentPasswordWrong' ? { current: text } : { password: text }
      },
    },
  )
  return { ...form, asksCurrent }
}
