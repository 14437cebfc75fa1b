import { type ClipboardEvent, type CSSProperties, Fragment, type ReactNode, useMemo, useRef } from 'react'
import type { Message } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowDown } from '#web/kit/icons.ts'
import { copiedSelection } from '#web/messages/copiedSelection.ts'
import { ConversationId } from '#web/messages/readingContext.ts'
import { turnsOf } from '#web/messages/turn.ts'
import './print.css'
import styles from './thread.module.css'
import { type LiveText, type TurnTools, TurnView } from './TurnView.tsx'
import { useLayoutAhead } from './useLayoutAhead.ts'
import { usePinnedToEnd } from './usePinnedToEnd.ts'
import { useTurnWindow } from './useTurnWindow.ts'

type Live = LiveText & {
  /** More buttons under the last answer, and under every message. */
  actions: ReactNode
  tools?: TurnTools
  /** The latest ask. A new one scrolls to the end, wherever the reader is. */
  latestAsk?: string | null
  /** The first message of a branch that the reader has chosen: it is rendered at once, however far back it is. */
  chosenBranch?: string | null
}

type ThreadProps = {
  /** Another conversation starts at its end. */
  conversationKey: string
  messages: readonly Message[]
  /** The message that a search led to; the thread scrolls there instead of to its end. */
  target?: string | null
  /** Left out where the conversation can only be read. */
  live?: Live
  /** What comes after the last message: a position in the queue, a refusal. */
  children?: ReactNode
}

/** What is selected of messages, for other programs; what is selected in a field is the browser's business. */
function copySelected(event: ClipboardEvent): void {
  const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null
  const copied = isField ? null : copiedSelection(document.getSelection())
  if (copied === null) return
  event.clipboardData.setData('text/html', copied.html)
  event.clipboardData.setData('text/plain', copied.text)
  event.preventDefault()
}

/** The messages of a conversation. Stays scrolled to the end while it grows. */
export function Thread({ conversationKey, messages, target = null, live, children }: ThreadProps) {
  const t = useTranslate()
  const { widerConversationPage } = usePreferences()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const turns = useMemo(() => turnsOf(messages), [messages])
  const targets = [target, live?.chosenBranch ?? null]
  const { rendered, gap, gapElement } = useTurnWindow(turns, scroller, conversationKey, targets)
  useLayoutAhead(scroller, content, rendered)
  const { isAway, toEnd } = usePinnedToEnd(scroller, content, `${conversationKey} ${live?.latestAsk ?? ''}`, target)
  const { feedOf, growing = false, tools, actions = null } = live ?? {}
  const last = turns.at(-1)
  return (
    <div className={styles.frame}>
      <div
        className={styles.scroller}
        ref={scroller}
        data-testid="thread"
        onCopy={copySelected}
        role="log"
        aria-live="off"
        aria-label={t('thread.label')}
        tabIndex={0}
      >
        <div
          className={widerConversationPage ? styles.column : styles.narrowColumn}
          ref={content}
          data-printed={conversationKey}
        >
          <ConversationId value={conversationKey}>
            {rendered.map(turn => (
              <Fragment key={turn.key}>
                {gap?.before === turn.key && <div ref={gapElement} className={styles.gap} style={roomFor(gap.count)} />}
                <TurnView
                  turn={turn}
                  isLast={turn === last}
                  liveText={{ feedOf, growing: growing && turn === last }}
                  tools={tools}
                  actions={turn === last ? actions : null}
                />
              </Fragment>
            ))}
          </ConversationId>
          {children}
        </div>
      </div>
      {isAway && (
        <button
          type="button"
          className={styles.toEnd}
          aria-label={t('thread.toEnd')}
          data-tip={t('thread.toEnd')}
          onClick={toEnd}
        >
          <IconArrowDown size={18} stroke={1.6} aria-hidden />
        </button>
      )}
    </div>
  )
}

function roomFor(turns: number): CSSProperties {
  return { ['--turns' as never]: turns } // CSSProperties has no custom properties
}
