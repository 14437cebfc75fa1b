import { Button } from '@mantine/core'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconRefresh } from '#web/kit/icons.ts'
import { Note } from '#web/kit/Note.tsx'
import { CopyDetails, type FailureDetails, useSettingHint } from '#web/messages/failureDetails.tsx'
import styles from './AskNotes.module.css'

/** An ask that failed, just now or some time ago. */
type Failed = FailureDetails & { ask_id: string; waited_seconds?: number }

/** Seconds from which on the wait is mentioned. */
const WAITED_FROM = 3

type NoteActions = { retry(): void; giveUp(): void }

type FailedNoteProps = {
  failed: Failed
  /** What "give up" does: true keeps the answer that was there before, false withdraws the question. */
  isKept: boolean
  on: NoteActions
}

/** Under the question: what happened, how long the wait was, whether it was charged, what to do now. */
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
            <RetryButtons isKept={isKept} isQuietOver={tip === 'errors.quietOver'} on={on} />
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

/** Picks the details; what else is in `failed` belongs to the note on the screen. */
function detailsOf({ ask_id, conversation_id, source, model, tip, values, charged, time }: Failed): FailureDetails {
  return { ask_id, conversation_id, source, model, tip, values, charged, time }
}

/** A question at the end of the thread that was stopped before anything came. */
export function UnansweredNote({ on }: { on: NoteActions }) {
  const t = useTranslate()
  return (
    <div className={styles.note}>
      <Note
        title={t('ask.unanswered')}
        actions={
          <div className={styles.actions}>
            <RetryButtons isKept={false} on={on} />
          </div>
        }
      >
        {t('ask.unansweredText')}
      </Note>
    </div>
  )
}

/** The session ended while an answer was coming. The ask goes on at the server, and asking again would ask twice. */
export function GoesOnNote() {
  const t = useTranslate()
  return (
    <div className={styles.note}>
      <Note tone="amber" title={t('errors.loginExpired')}>
        {t('ask.goesOn')}
      </Note>
    </div>
  )
}

type RetryProps = { isKept: boolean; isQuietOver?: boolean; on: NoteActions }

function RetryButtons({ isKept, isQuietOver = false, on }: RetryProps) {
  const t = useTranslate()
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconRefresh size={14} aria-hidden />}
        data-testid="message-retry"
        onClick={on.retry}
      >
        {t(isQuietOver ? 'ask.now' : 'ask.retry')}
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
    </>
  )
}
