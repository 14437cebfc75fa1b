import { Button } from '@mantine/core'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy, IconRefresh } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { useCopied } from '#web/kit/useCopied.ts'
import type { Ask, AskState } from './askState.ts'
import styles from './asking.module.css'

type FailedNoteProps = {
  ask: Ask & { state: Extract<AskState, { phase: 'failed' }> }
  /** What becomes of it otherwise: the question can be taken back, or an answer that was there before stays. */
  isKept: boolean
  on: { retry(): void; giveUp(): void }
}

/** Under the question: what happened, whether it counted, what to do now. */
export function FailedNote({ ask, isKept, on }: FailedNoteProps) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const { tip, values, charged } = ask.state
  return (
    <div className={styles.note}>
      <Note tone="red" title={translateMessage(tip, values)} actions={(
        <div className={styles.actions}>
          <Button variant="default" size="xs" leftSection={<IconRefresh size={14} aria-hidden />} data-testid="message-retry" onClick={on.retry}>{t('ask.retry')}</Button>
          <Button variant="subtle" color="gray" size="xs" data-testid={isKept ? 'message-keep' : 'message-withdraw'} onClick={on.giveUp}>
            {t(isKept ? 'ask.keepAnswer' : 'ask.withdraw')}
          </Button>
          <CopyDetails details={detailsOf(ask)} />
        </div>
      )}>
        {t(charged ? 'ask.charged' : 'ask.notCharged')}
      </Note>
    </div>
  )
}

function CopyDetails({ details }: { details: string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Button variant="subtle" color="gray" size="xs" leftSection={<Icon size={14} aria-hidden />} onClick={() => void copy(details)}>
      {t(copied ? 'ask.detailsCopied' : 'ask.copyDetails')}
    </Button>
  )
}

/** For whoever looks into it: no word of the conversation is in it. */
function detailsOf({ ask_id, conversation_id, request, state }: Ask): string {
  const { source, model } = request ?? {}
  return JSON.stringify({ ask_id, conversation_id, source, model, ...state, time: new Date().toISOString() }, null, 2)
}
