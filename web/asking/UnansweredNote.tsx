import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconRefresh } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import styles from './asking.module.css'

/** A question that stands at the end alone, and nothing failed: it was stopped before anything came. */
export function UnansweredNote({ on }: { on: { retry(): void; giveUp(): void } }) {
  const t = useTranslate()
  return (
    <div className={styles.note}>
      <Note
        title={t('ask.unanswered')}
        actions={
          <div className={styles.actions}>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={14} aria-hidden />}
              data-testid="message-retry"
              onClick={on.retry}
            >
              {t('ask.retry')}
            </Button>
            <Button variant="subtle" color="gray" size="xs" data-testid="message-withdraw" onClick={on.giveUp}>
              {t('ask.withdraw')}
            </Button>
          </div>
        }
      >
        {t('ask.unansweredText')}
      </Note>
    </div>
  )
}
