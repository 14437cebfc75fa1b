import { type ReactNode, useMemo, useRef } from 'react'
import type { Message } from '#contract/messages.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowDown } from '#web/kit/icons.ts'
import { ConversationId } from '#web/messages/readingContext.ts'
import { turnsOf } from '#web/messages/turn.ts'
import './print.css'
import styles from './thread.module.css'
import { TurnBlock } from './TurnBlock.tsx'
import { blocksOf } from './turnBlocks.ts'
import type { TurnLife, TurnTools } from './TurnView.tsx'
import { useLaidOutAhead } from './useLaidOutAhead.ts'
import { usePinnedToEnd } from './usePinnedToEnd.ts'
import { useShownTurns } from './useShownTurns.ts'

type Attention = {
  /** The ask that was begun last: it takes the reader to the end, wherever they are. */
  asked?: string | null
  /** A message that is shown at once, however far back it is: where another branch was chosen. */
  looked?: string | null
}

type ThreadProps = {
  /** Which conversation this is: another one starts at its end. */
  reading: string
  messages: readonly Message[]
  /** The message that a search led to; the thread scrolls there instead of to its end. */
  target?: string | null
  /** Growing texts, whether the last answer still grows, what more can be done with it and with all; without it everything is only read. */
  live?: TurnLife & { actions: ReactNode; tools?: TurnTools } & Attention
  /** What comes after the last message: a place in the queue, a refusal. */
  children?: ReactNode
}

/** The messages of a conversation. Stays scrolled to the end while it grows. */
export function Thread({ reading, messages, target = null, live, children }: ThreadProps) {
  const t = useTranslate()
  const { widerConversationPage } = usePreferences()
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const turns = useMemo(() => turnsOf(messages), [messages])
  const { shown, gap, gapElement } = useShownTurns(turns, scroller, reading, [target, live?.looked ?? null])
  useLaidOutAhead(scroller, content, shown)
  const { away, toEnd } = usePinnedToEnd(scroller, content, `${reading} ${live?.asked ?? ''}`, target)
  const { feedOf, growing = false, tools, actions = null } = live ?? {}
  const drawn = useMemo(
    () => ({ last: turns.at(-1), feedOf, growing, tools, actions }),
    [turns, feedOf, growing, tools, actions],
  )
  return (
    <div className={styles.frame}>
      <div
        className={styles.scroller}
        ref={scroller}
        data-testid="thread"
        role="log"
        aria-live="off"
        aria-label={t('thread.label')}
        tabIndex={0}
      >
        <div
          className={widerConversationPage ? styles.column : styles.narrowColumn}
          ref={content}
          data-printed={reading}
        >
          <ConversationId value={reading}>
            {blocksOf(turns, shown).map(block => (
              <TurnBlock
                key={block.at}
                turns={block.turns}
                drawn={drawn}
                gapElement={gapElement}
                gap={block.turns.some(({ key }) => key === gap?.before) ? gap : null}
              />
            ))}
          </ConversationId>
          {children}
        </div>
      </div>
      {away && (
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
