import { FocusTrap } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { type AskedFor, AskForMoreForm } from './AskForMoreForm.tsx'
import { useMyUsage } from './queries.ts'

/** The form, opened from a limit that is used up. */
export function AskForMoreDialog({ of, onClose }: { of: AskedFor; onClose(): void }) {
  const t = useTranslate()
  const { data, error, refetch } = useMyUsage()
  return (
    <Dialog title={t('usage.more')} onClose={onClose}>
      {data === undefined && error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {data !== undefined && <AskForMoreForm usage={data} of={of} onDone={onClose} />}
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}
