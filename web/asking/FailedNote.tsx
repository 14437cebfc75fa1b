import { Button } from '@mantine/core'
import type { AskFailure } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy, IconRefresh } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { useCopied } from '#web/kit/useCopied.ts'
import styles from './asking.module.css'

/** An ask that failed, just now or some time ago. */
type Failed = Omit<AskFailure, 'charged'> & { charged: boolean | null; ask_id: string; conversation_id: string | null; source: Source | undefined; model: string | undefined; time?: string }

type FailedNoteProps = {
  failed: Failed
  /** What becomes of it otherwise: the question can be taken back, or an answer that was there before stays. */
  isKept: boolean
  on: { retry(): void; giveUp(): void }
}

/** Under the question: what happened, whether it counted, what to do now. */
export function FailedNote({ failed, isKept, on }: FailedNoteProps) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const { tip, values, charged } = failed
  return (
    <div className={styles.note}>
      <Note tone="red" title={translateMessage(tip, values)} actions={(
        <div className={styles.actions}>
          <Button variant="default" size="xs" leftSection={<IconRefresh size={14} aria-hidden />} data-testid="message-retry" onClick={on.retry}>{t('ask.retry')}</Button>
          <Button variant="subtle" color="gray" size="xs" data-testid={isKept ? 'message-keep' : 'message-withdraw'} onClick={on.giveUp}>
            {t(isKept ? 'ask.keepAnswer' : 'ask.withdraw')}
          </Button>
          <CopyDetails failed={failed} />
        </div>
      )}>
        {charged === null ? undefined : t(charged ? 'ask.charged' : 'ask.notCharged')}
      </Note>
    </div>
  )
}

function CopyDetails({ failed }: { failed: Failed }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Button variant="subtle" color="gray" size="xs" leftSection={<Icon size={14} aria-hidden />} onClick={() => void copy(detailsOf(failed))}>
      {t(copied ? 'ask.detailsCopied' : 'ask.copyDetails')}
    </Button>
  )
}

/** For whoever looks into it: no word of the conversation is in it. */
function detailsOf({ ask_id, conversation_id, source, model, tip, values, charged, time = new Date().toISOString() }: Failed): string {
  return JSON.stringify({ ask_id, conversation_id, source, model, tip, values, charged, time }, null, 2)
}
