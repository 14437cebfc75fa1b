import { useEffect, useMemo, useState } from 'react'
import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import type { ConversationHistory } from '#contract/conversations.ts'
import { leafUnder, threadTo } from '#contract/messageTree.ts'
import { ReadOnlyMenu } from '#web/conversations/ConversationMenu.tsx'
import { NotOpened } from '#web/conversations/NotOpened.tsx'
import { continueOversight } from '#contract/oversight.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { Branches, BranchSwitch } from '#web/thread/BranchSwitch.tsx'
import { Thread } from '#web/thread/Thread.tsx'
import type { TurnTools } from '#web/thread/TurnView.tsx'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { useHeaderSlot, usePageTitle } from '#web/kit/pageHead.ts'
import { Tag } from '#web/kit/Tag.tsx'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { readReadableCache, readReadableConversation } from '#web/messages/readableHistory.ts'
import { pageSource } from '#web/sources/list/list.ts'
import styles from './history.module.css'

/**
 * The conversation as it is stored here, for its owner and for administrators. One that a sync has found and nobody has
 * read yet is not stored here; it is read from its account.
 */
function storedHistory(id: string) {
  const asked = { params: { id }, query: { thoughts: 'true' } } as const
  return queryOptions({
    queryKey: ['history', id],
    queryFn: async ({ signal }) => {
      const stored = await call(readReadableCache, asked, { signal })
      const isUnread = pageSource(stored.source).keepsConversations && Object.keys(stored.mapping).length === 0
      return isUnread ? call(readReadableConversation, asked, { signal }) : stored
    },
    meta: { quiet: true },
  })
}

/** Shows a conversation that can only be read: its current path, or another branch. */
export function HistoryScreen() {
  const { conversation_id } = useParams({ from: '/conv/$conversation_id' })
  const { data: history, error, refetch } = useQuery(storedHistory(conversation_id))
  useHeaderSlot(useMemo(() => (history === undefined ? null : <HistoryHeader history={history} />), [history]))
  usePageTitle(history?.title || null)
  useContinuedOversight(conversation_id, history)
  if (history === undefined && error instanceof RefusedCall && error.key === 'oversightReasonRequired')
    return <ReasonGate id={conversation_id} onOpened={() => void refetch()} onLoadError={() => undefined} />
  if (error !== null && history === undefined)
    return (
      <NotOpened error={error} onRetry={() => void refetch()}>
        <ToConversations />
      </NotOpened>
    )
  if (history === undefined) return <div aria-busy="true" />
  return <ReadThread key={conversation_id} history={history} />
}

const ReasonGate = lazyWithTexts('oversight', () =>
  import('#web/oversight/ReasonGate.tsx').then(module => module.ReasonGate),
)

/** Milliseconds. */
const CONTINUED_EVERY = 60_000

/** As long as somebody else's conversation is looked at, its owner sees so. */
function useContinuedOversight(id: string, history: ConversationHistory | undefined): void {
  const isForeign = history?.owner !== undefined && history.owner !== null
  useEffect(() => {
    if (!isForeign) return undefined
    const timer = setInterval(() => {
      // Whoever looks at something else reads it no more. A failure only makes the time too short.
      if (document.visibilityState === 'visible')
        void call(continueOversight, { params: { id } }).catch(() => undefined)
    }, CONTINUED_EVERY)
    return () => clearInterval(timer)
  }, [id, isForeign])
}

/** The title, and the owner of another user’s conversation. */
function HistoryHeader({ history }: { history: ConversationHistory }) {
  const t = useTranslate()
  const { _id, source, title, owner } = history
  const shown = title || t('conversations.untitled')
  return (
    <>
      <h1 dir="auto" className={styles.title}>
        {shown}
      </h1>
      <Tag tone="outline">{t('history.readOnly')}</Tag>
      {owner !== undefined && (
        <span className={styles.owner}>
          <Tag tone="amber">{ownerText(owner, t)}</Tag>
        </span>
      )}
      {pageSource(source).headerParts({ id: null, fields: {}, history, messages: [] })}
      <ReadOnlyMenu id={_id} title={shown} />
    </>
  )
}

/** The tools of a reader: switching branches is all that can be done with a message. */
const READING_TOOLS: TurnTools = {
  Answer: ({ turn }) => turn.replies.map(({ id }) => <BranchSwitch key={id} message_id={id} />),
  Question: ({ turn }) => turn.question !== null && <BranchSwitch message_id={turn.question.id} />,
  Asked: ({ children }) => children,
}
const LIVE = { feedOf: undefined, growing: false, actions: null, tools: READING_TOOLS }

function ReadThread({ history }: { history: ConversationHistory }) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const { _id, title, mapping, current_node, owner, read_only } = history
  const target = useLocation({ select: ({ hash }) => hash || null })
  // The chosen branch is not stored.
  const [chosen, setChosen] = useState<string | null>(null)
  const looked = chosen ?? (target !== null && Object.hasOwn(mapping, target) ? target : null)
  const messages = useMemo(
    () => threadTo(mapping, looked === null ? current_node : leafUnder(mapping, looked)),
    [mapping, current_node, looked],
  )
  const branches = useMemo(() => ({ conversation_id: _id, mapping, busy: null, onBranch: setChosen }), [_id, mapping])
  return (
    <div className={styles.screen}>
      <Branches value={branches}>
        <Thread conversationKey={_id} messages={messages} target={target} live={{ ...LIVE, chosenBranch: looked }} />
      </Branches>
      <p className={styles.foot}>
        {read_only !== undefined && <span role="status">{translateMessage(read_only, null)}</span>}
        {owner === undefined ? (
          <Link to="/conversation" search={{ id: _id }}>
            {t('history.open')}
          </Link>
        ) : (
          ownerText(owner, t)
        )}
        {owner === null && (
          <Link to="/admin/conversation" search={{ owner: 'nobody', ...(title !== '' && { words: title }) }}>
            {t('history.assign')}
          </Link>
        )}
      </p>
    </div>
  )
}

function ownerText(owner: NonNullable<ConversationHistory['owner']> | null, t: Translate): string {
  return owner === null ? t('history.ofNobody') : t('history.of', { nickname: owner.nickname })
}

function ToConversations() {
  const t = useTranslate()
  return (
    <Button variant="default" component={Link} to="/conversation">
      {t('history.toConversations')}
    </Button>
  )
}
