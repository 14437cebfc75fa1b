import { Button } from '@mantine/core'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconRefresh } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { CopyDetails, type FailureDetails, useSettingHint } from '#web/messages/failureDetails.tsx'
import styles from './asking.module.css'

/** An ask that failed, just now or some time ago. */
type Failed = FailureDetails & { ask_id: string; waited_seconds?: number }

/** Seconds below which nobody thinks of it as waiting. */
const WAITED_FROM = 3

type FailedNoteProps = {
  failed: Failed
  /** What becomes of it otherwise: the question can be taken back, or an answer that was there before stays. */
  isKept: boolean
  on: { retry(): void; giveUp(): void }
}

/** Under the question: what happened, how long it was waited for, whether it was charged, what to do now. */
export function FailedNote({ failed, isKept, on }: FailedNoteProps) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const { tip, values, charged, waited_seconds = 0 } = failed
  const setting = useSettingHint({ values })
  const facts = [
    waited_seconds >= WAITED_FROM && t('ask.waited', { count: waited_seconds }),
    charged !== null && t(charged ? 'ask.charged' : 'ask.notCharged'),
    setting,
  ].filter(fact => typeof fact === 'string')
  return (
    <div className={styles.note}>
      <Note
        tone="red"
        title={translateMessage(tip, values)}
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
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              data-testid={isKept ? 'message-keep' : 'message-withdraw'}
              onClick={on.giveUp}
            >
              {t(isKept ? 'ask.keepAnswer' : 'ask.withdraw')}
            </Button>
            <CopyDetails details={detailsOf(failed)} />
          </div>
        }
      >
        {facts.length === 0
          ? undefined
          : facts.map(fact => (
              <span key={fact} className={styles.fact}>
                {fact}
              </span>
            ))}
      </Note>
    </div>
  )
}

/** How far it is on the screen is not for whoever looks into it. */
function detailsOf({ ask_id, conversation_id, source, model, tip, values, charged, time }: Failed): FailureDetails {
  return { ask_id, conversation_id, source, model, tip, values, charged, time }
}
