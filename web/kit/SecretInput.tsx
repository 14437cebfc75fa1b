import { PasswordInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import type { PasswordInputProps } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconEye, IconEyeOff } from './icons.ts'

/** A password that can be shown, by keyboard too. */
export function SecretInput(props: PasswordInputProps) {
  const t = useTranslate()
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleIcon={RevealIcon}
      aria-invalid={Boolean(props.error) || undefined}
      {...props}
      visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
    />
  )
}

function RevealIcon({ reveal }: { reveal: boolean }) {
  return reveal ? <IconEyeOff size={16} /> : <IconEye size={16} />
}
