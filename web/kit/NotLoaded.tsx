import { Button } from '@mantine/core'
import { failureText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Note } from './Note.tsx'

type NotLoadedProps = { title?: string; error: Error; busy?: boolean; onRetry(): unknown }

/** In place of what could not be read: why, with the code of a refusal, and another attempt. */
export function NotLoaded({ title, error, busy = false, onRetry }: NotLoadedProps) {
  const t = useTranslate()
  return (
    <Note
      tone="red"
      title={title ?? t('kit.notLoaded')}
      actions={
        <Button size="xs" variant="subtle" color="gray" loading={busy} onClick={() => void onRetry()}>
          {t('kit.retry')}
        </Button>
      }
    >
      {failureText(error)}
    </Note>
  )
}
