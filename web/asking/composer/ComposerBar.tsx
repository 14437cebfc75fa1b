import { Link } from '@tanstack/react-router'
import type { ConversationHistory } from '#contract/conversations.ts'
import { useAllowance } from '#web/users/allowance.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { ConversationLink } from '#web/conversations/ConversationRow.tsx'
import { usePortal } from '#web/foundation/portal.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { GoneLine } from '#web/messages/lazyAttached.ts'
import { keptWith } from '#web/messages/metadata.ts'
import { openMeter } from '#web/conversations/sharedMeter/MeterPopover.tsx'
import { useHasShares } from '#web/conversations/sharedMeter/useSharedMeter.ts'
import { ShareLine } from '#web/shares/lazyShares.ts'
import { keepToastsAbove } from '#web/kit/Toasts.tsx'
import { askIn, giveUp, unansweredOf } from '../conversation/askActions.ts'
import { stopAsk } from '../asks/asks.ts'
import { type Ask, isAwaited } from '../asks/askState.ts'
import { useDraftFiles } from '../drafts/draftFiles.tsx'
import { useDraft } from '../drafts/useDraft.ts'
import { type ConversationView, useOtherAsk } from '../conversation/conversationView.ts'
import styles from './composer.module.css'
import { Composer } from './Composer.tsx'
import { LimitHead, LimitWays, SwitchModel } from './LimitHead.tsx'
import type { SendWhen } from './sendWhen.ts'
import { useLimit } from './useLimit.ts'

/** At the bottom: the composer, or why the conversation is read-only. */
export function ComposerBar({ view }: { view: ConversationView }) {
  const reason = view.history?.read_only
  return reason === undefined ? <OpenBar view={view} /> : <ReadOnlyBar view={view} reason={reason} />
}

/**
 * The state of the conversation's web account. It is no warning, because everything shown can be read. Where nothing
 * more can be asked, it leads to what can be done instead.
 */
function AccountNote({ view: { history } }: { view: ConversationView }) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const momentText = useMomentText()
  const { stored_copy, cooling_until, read_only } = history ?? {}
  if (stored_copy === undefined && cooling_until === undefined && read_only === undefined) return null
  return (
    <div className={styles.note} role="status" data-testid="account-note">
      {cooling_until !== undefined && <p>{t('composer.cooling', { time: momentText(cooling_until) })}</p>}
      {stored_copy !== undefined && <p>{t('thread.storedCopy', { reason: translateMessage(stored_copy, null) })}</p>}
      {read_only !== undefined && (
        <p>
          {read_only === 'errors.conversationGone' && `${t('thread.comesBack')} `}
          <Link to="/conversation" search={{}}>
            {t('conversations.new')}
          </Link>
        </p>
      )}
    </div>
  )
}

function ReadOnlyBar({ view, reason }: { view: ConversationView; reason: string }) {
  const translateMessage = useTranslateMessage()
  const className = useBarClass()
  return (
    <div ref={keepToastsAbove} className={className}>
      <AccountNote view={view} />
      {/* The note about the stored copy gives this reason already. */}
      {reason !== view.history?.stored_copy && (
        <p className={styles.note} role="status">
          {translateMessage(reason, null)}
        </p>
      )}
    </div>
  )
}

/** The composer, and above it the limit or the other ask that keeps it waiting. */
function OpenBar({ view }: { view: ConversationView }) {
  const className = useBarClass()
  const draft = useDraft(view.key)
  const other = useOtherAsk(view.id)
  const { ask, history, choice } = view
  const files = useDraftFiles(draft, choice, view.messages)
  const disabledReason = useDisabledReason(view, draft.text, other !== null) ?? files.disabledReason
  const limit = useLimit(view, other !== null)
  const hasShares = useHasShares(choice?.source)
  const send = (text: string, when: SendWhen) => {
    if (choice === null) return
    draft.write('')
    askIn(history, choice, text.trim(), { ...files.fields, ...(when === 'quiet' && { when }) })
  }
  return (
    <div ref={keepToastsAbove} className={className}>
      <AccountNote view={view} />
      {other !== null && <OtherAsk ask={other} />}
      {limit !== null && <LimitHead limit={limit} />}
      {limit !== null && choice !== null && <LimitWays limit={limit} onChoose={choice.choose} />}
      {view.messages.some(message => keptWith(message).length > 0) && (
        <GoneLine messages={view.messages} onLoadError={() => undefined} />
      )}
      {hasShares && choice !== null && limit === null && (
        <ShareLine source={choice.source} model={choice.model} onOpen={openMeter} onLoadError={() => undefined} />
      )}
      {files.head}
      <Composer
        draft={{ ...draft, files }}
        choice={choice}
        disabledReason={
          limit !== null && choice === null
            ? ''
            : (disabledReason ?? (limit && choice && <SwitchModel limit={limit} onChoose={choice.choose} />))
        }
        onSend={send}
        awaited={
          ask !== null && isAwaited(ask.state)
            ? { growing_since: growingSince(ask), stop: () => void stop(ask, history) }
            : null
        }
      />
    </div>
  )
}

/** The class that makes it as wide as the thread above it. */
function useBarClass(): string {
  const { widerConversationPage } = usePreferences()
  return widerConversationPage ? `${styles.bar}` : `${styles.bar} ${styles.narrow}`
}

function OtherAsk({ ask }: { ask: Ask }) {
  const t = useTranslate()
  return (
    <p className={styles.note}>
      {t('composer.otherWaits')}{' '}
      <ConversationLink id={ask.conversation_id} current={false} className={undefined}>
        {t('composer.goThere')}
      </ConversationLink>
    </p>
  )
}

/** Null for an answer whose beginning this page has not seen. */
function growingSince({ state, request, since }: Ask): number | null {
  return state.phase === 'replying' && request !== null ? since : null
}

async function stop(ask: Ask, history: ConversationHistory | null): Promise<void> {
  // An undelivered ask cannot be stopped: its text goes back to the composer.
  const undelivered = ask.state.phase === 'sending' && ask.connection.state === 'lost'
  const unanswered = undelivered ? unansweredOf(ask, null, null) : null
  if (unanswered === null) stopAsk(ask.ask_id)
  else await giveUp(unanswered, history)
}

/** Why the question cannot be sent now; '' when something above the composer says so, null when it can. */
function useDisabledReason({ status, choice }: ConversationView, text: string, otherWaits: boolean): string | null {
  const t = useTranslate()
  const portal = usePortal()
  const allowance = useAllowance()
  if (portal === undefined) return ''
  if (text.length > portal.max_text_length)
    return t('composer.tooLong', { length: text.length, most: portal.max_text_length })
  if (otherWaits) return ''
  if (status === 'loading') return t('composer.loading')
  if (status === 'failed') return t('thread.notLoaded')
  if (choice === null) return t('newConversation.noSources')
  // Once the allowance is loaded it is more exact, and says when the limit ends.
  return choice.remaining === 0 && allowance === undefined ? t('newConversation.usedUp') : null
}
