import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import type { ConversationHistory } from '#contract/conversations.ts'
import { leafUnder, threadTo } from '#contract/messageTree.ts'
import { Branches } from '#web/conversations/branches/branches.ts'
import { Thread } from '#web/conversations/Thread.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useHeaderSlot, usePageTitle } from '#web/kit/pageHead.ts'
import { historyOf } from './historyOf.ts'
import styles from './history.module.css'
import { HistoryHeader } from './HistoryHeader.tsx'
import { NoHistory } from './NoHistory.tsx'
import { READING_TOOLS } from './ReadingTools.tsx'

/** A conversation to read, and nothing else: the path from the current node up, or another that is looked along. */
export function HistoryScreen() {
  const { conversation_id } = useParams({ from: '/conv/$conversation_id' })
  const { data: history, error, refetch } = useQuery(historyOf(conversation_id))
  useHeaderSlot(useMemo(() => (history === undefined ? null : <HistoryHeader history={history} />), [history]))
  usePageTitle(history?.title || null)
  if (error !== null && history === undefined) return <NoHistory error={error} onRetry={() => void refetch()} />
  if (history === undefined) return <div aria-busy="true" />
  return <ReadThread key={conversation_id} history={history} />
}

const LIVE = { feedOf: undefined, growing: false, actions: null, tools: READING_TOOLS }

function ReadThread({ history }: { history: ConversationHistory }) {
  const t = useTranslate()
  const { _id, mapping, current_node, owner } = history
  const target = useLocation({ select: ({ hash }) => hash || null })
  const [chosen, setChosen] = useState<string | null>(null)
  const looked = chosen ?? (target !== null && Object.hasOwn(mapping, target) ? target : null)
  const messages = useMemo(
    () => threadTo(mapping, looked === null ? current_node : leafUnder(mapping, looked)),
    [mapping, current_node, looked],
  )
  // Nothing of it is stored.
  const branches = useMemo(() => ({ conversation_id: _id, mapping, busy: null, onBranch: setChosen }), [_id, mapping])
  return (
    <div className={styles.screen}>
      <Branches value={branches}>
        <Thread reading={_id} messages={messages} target={target} live={{ ...LIVE, looked }} />
      </Branches>
      <p className={styles.foot}>
        {owner === undefined ? (
          <Link to="/conversation" search={{ id: _id }}>
            {t('history.open')}
          </Link>
        ) : owner === null ? (
          t('history.ofNobody')
        ) : (
          t('history.of', { nickname: owner.nickname })
        )}
      </p>
    </div>
  )
}
