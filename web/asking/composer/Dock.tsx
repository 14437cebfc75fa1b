import { usePreferences } from '#web/foundation/preferences.ts'
import { ConversationLink } from '#web/conversations/ConversationLink.tsx'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { keepToastsAbove } from '#web/kit/Toasts.tsx'
import { giveUp, unansweredOf } from '../askActions.ts'
import { stopAsk } from '../asks.ts'
import { type Ask, isAwaited } from '../askState.ts'
import { Composer } from './Composer.tsx'
import { LimitHead } from './LimitHead.tsx'
import { SwitchModel } from './SwitchModel.tsx'
import { useLimit } from './useLimit.ts'
import styles from '../screen.module.css'
import { ask as askIn, useOtherAsk } from '../useAsk.ts'
import type { Desk } from '../useDesk.ts'
import { useDraftFiles } from '../drafts/draftFiles.tsx'
import { useDraft } from '../drafts/useDraft.ts'
import { useHindrance } from './useHindrance.ts'

/** At the bottom the composer, or why nothing more can be asked in this conversation. */
export function Dock({ desk }: { desk: Desk }) {
  const reason = desk.history?.read_only
  return reason === undefined ? <ComposerDock desk={desk} /> : <ReadOnlyDock reason={reason} />
}

function ReadOnlyDock({ reason }: { reason: string }) {
  const translateMessage = useTranslateMessage()
  return (
    <div ref={keepToastsAbove} className={`${styles.dock} ${styles.narrowDock}`}>
      <p className={styles.other} role="status">
        {translateMessage(reason, null)}
      </p>
    </div>
  )
}

/** The composer, and above it the limit or ask that keeps it waiting. */
function ComposerDock({ desk }: { desk: Desk }) {
  const t = useTranslate()
  const { widerConversationPage } = usePreferences()
  const draft = useDraft(desk.key)
  const other = useOtherAsk(desk.id)
  const files = useDraftFiles(desk)
  const hindrance = useHindrance(desk, draft.text, other !== null) ?? files.hindrance
  const limit = useLimit(desk, other !== null)
  const { ask, history, choice } = desk
  const send = (text: string) => {
    if (choice === null) return
    draft.write('')
    askIn(history, choice, text.trim(), files.forAsk)
  }
  const stop = async () => {
    if (ask === null) return
    // Never delivered, so there is nothing to stop: the text comes back.
    const undelivered = ask.state.phase === 'sending' && ask.connection.state === 'lost'
    const unanswered = undelivered ? unansweredOf(ask, null, null) : null
    if (unanswered === null) stopAsk(ask.ask_id)
    else await giveUp(unanswered, history)
  }
  return (
    <div ref={keepToastsAbove} className={widerConversationPage ? styles.dock : `${styles.dock} ${styles.narrowDock}`}>
      {other !== null && (
        <p className={styles.other}>
          {t('composer.otherWaits')}{' '}
          <ConversationLink id={other.conversation_id} current={false} className={undefined}>
            {t('composer.goThere')}
          </ConversationLink>
        </p>
      )}
      {limit !== null && <LimitHead limit={limit} />}
      <Composer
        draft={{ ...draft, files: files.slots }}
        choice={choice}
        hindrance={
          limit === null
            ? hindrance
            : choice === null
              ? ''
              : (hindrance ?? <SwitchModel limit={limit} onChoose={choice.choose} />)
        }
        onSend={send}
        awaited={
          ask !== null && isAwaited(ask.state) ? { growing_since: growingSince(ask), stop: () => void stop() } : null
        }
      />
    </div>
  )
}

/** Of an answer that this page has not seen begin nobody here knows for how long it has grown. */
function growingSince({ state, request, since }: Ask): number | null {
  return state.phase === 'replying' && request !== null ? since : null
}
