import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconCheck, IconCopy, IconX } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import styles from './generatedPassword.module.css'

/** A generated password, shown once: it cannot be read again. */
export function GeneratedPassword({ password, onClose }: { password: string; onClose(): void }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  return (
    <div className={styles.once} role="status" data-testid="once-password">
      <p>{t('users.password.once')}</p>
      <div>
        <code>{password}</code>
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => void copy(password)}
        >
          {t(copied ? 'kit.copied' : 'kit.copy')}
        </Button>
        <IconButton size={28} label={t('kit.close')} onClick={onClose}>
          <IconX size={14} aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}
