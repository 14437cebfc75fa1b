import { useDeferredValue, useEffect } from 'react'
import { Button } from '@mantine/core'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { NotOpened } from '#web/conversations/NotOpened.tsx'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { OversightLine } from '#web/oversight/lazyOversight.ts'
import { useNoteView } from '#web/notices/useNoteView.ts'
import { focusComposer } from './composer/composerField.ts'
import type { ConversationView } from './conversation/conversationView.ts'
import { ComposerBar } from './composer/ComposerBar.tsx'
import { settleFiles } from './drafts/draftFiles.tsx'
import { EmptyConversation } from './EmptyConversation.tsx'
import { LiveThread } from './LiveThread.tsx'
import { isAwaited } from './asks/askState.ts'
import { ConnectionStrip } from './queue/ConnectionStrip.tsx'
import styles from './screen.module.css'
import { ownDrafts } from './drafts/useDraft.ts'

const EndingNote = lazyWithTexts('keeping', () =>
  import('#web/conversations/keeping/EndingNote.tsx').then(module => module.EndingNote),
)
const ignore = () => undefined

type ConversationPaneProps = { view: ConversationView; onShow(id: string | null): void }

export function ConversationPane({ view, onShow }: ConversationPaneProps) {
  useNoteView(view.id, view.ask !== null && isAwaited(view.ask.state))
  return (
    <div className={styles.pane}>
      <ConnectionStrip ask={view.ask} />
      {view.id !== null && (view.history?.ends !== undefined || view.history?.keep === 'asked') && (
        <EndingNote id={view.id} ending={view.history} onLoadError={ignore} />
      )}
      <OversightLine id={view.id} above needed={false} onLoadError={ignore} />
      <Messages view={view} onShow={onShow} />
      {view.status !== 'gone' && <ComposerBar view={view} />}
    </div>
  )
}

function Messages({ view, onShow }: ConversationPaneProps) {
  const isThere = view.status === 'open' || view.messages.length > 0
  // Deferred: React renders a screen of messages in slices, so that the page stays responsive.
  const isLoading = useDeferredValue(view.status === 'loading' && !isThere)
  if (isThere && !isLoading) return <LiveThread view={view} onShow={onShow} />
  switch (view.status) {
    case 'new':
      return (
        <div className={styles.centered}>
          <EmptyConversation onSuggest={suggest} />
        </div>
      )
    case 'open':
    case 'loading':
      return (
        <div className={styles.centered} aria-busy="true">
          <Skeleton />
        </div>
      )
    case 'gone':
    case 'failed':
      if (view.error === null) return null
      return (
        <NotOpened error={view.error} onRetry={view.reload}>
          <InANewOne conversation={view.key} onNew={() => onShow(null)} />
        </NotOpened>
      )
  }

  function suggest(text: string): void {
    ownDrafts().keep(view.key, text)
    focusComposer()
  }
}

function Skeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

/** Shown for a conversation that is gone: its draft can still be asked, in a new one. */
function InANewOne({ conversation, onNew }: { conversation: string; onNew(): void }) {
  const t = useTranslate()
  useEffect(() => {
    ownDrafts().move(conversation, NEW_CONVERSATION)
    settleFiles(conversation, NEW_CONVERSATION, {})
  }, [conversation])
  return (
    <Button variant="default" onClick={onNew}>
      {t('conversations.new')}
    </Button>
  )
}
