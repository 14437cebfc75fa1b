import { Button } from '@mantine/core'
import type { AskFailure } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'

/** What failed, where and when. The ask is named by its id, or by that of the partial answer it left. */
export type FailureDetails = Omit<AskFailure, 'charged'> & {
  charged: boolean | null
  conversation_id: string | null
  source: Source | undefined
  model: string | null | undefined
  time?: string | null
} & ({ ask_id: string } | { message_id: string })

/** Copies the details for an administrator, without any text of the conversation. */
export function CopyDetails({ details }: { details: FailureDetails }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  const text = () => JSON.stringify({ ...details, time: details.time ?? new Date().toISOString() }, null, 2)
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => void copy(text())}
    >
      {t(copied ? 'message.detailsCopied' : 'message.copyDetails')}
    </Button>
  )
}

/** The setting behind a failure, such as the timeout that was over; only for those who may change it. */
export function useSettingHint(failure: Pick<AskFailure, 'values'> | null): string | null {
  const t = useTranslate()
  const mayChange = useSession(({ user }) => user?.is_superuser === true)
  const setting = failure?.values?.['setting']
  return mayChange && typeof setting === 'string' ? t('message.setting', { setting }) : null
}
