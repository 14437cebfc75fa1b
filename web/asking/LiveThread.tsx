import { useState } from 'react'
import { Button } from '@mantine/core'
import { CONTINUE } from '#contract/asking.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { Branches } from '#web/thread/BranchSwitch.tsx'
import { Thread } from '#web/thread/Thread.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { askIn, giveUp, tryAgain, type Unanswered, unansweredOf } from './conversation/askActions.ts'
import { canContinue, unansweredIn } from './asks/askHistory.ts'
import { FailedNote, GoesOnNote, UnansweredNote } from './AskNotes.tsx'
import { stopAsk } from './asks/asks.ts'
import { type Ask, goesOnUnseen, isAwaited } from './asks/askState.ts'
import { BranchActions, useBranchActions, useBranches } from './branches/branchActions.ts'
import { BRANCH_TOOLS } from './branches/branchTools.tsx'
import { focusComposer, focusComposerWhereKeysAre } from './composer/composerField.ts'
import type { ConversationView } from './conversation/conversationView.ts'
import { feedOf } from './asks/feeds.ts'
import { QueuePanel, Thinking } from './queue/QueuePanel.tsx'
import { WaitingForQuiet } from './queue/WaitingForQuiet.tsx'

type LiveThreadProps = { view: ConversationView; onShow(id: string | null): void }

/** The thread with its branches, and at its end the state of the ask. */
export function LiveThread({ view, onShow }: LiveThreadProps) {
  const { ask, key, messages, target } = view
  const { actions, branches, selected } = useBranches(view, onShow)
  const live = {
    feedOf,
    growing: ask !== null && isAwaited(ask.state),
    latestAsk: useLatestAsk(key, ask?.ask_id ?? null),
    chosenBranch: selected,
    tools: actions === null ? undefined : BRANCH_TOOLS,
    actions: ask === null && canContinue(messages) ? CONTINUE_BUTTON : null,
  }
  return (
    <BranchActions value={actions}>
      <Branches value={branches}>
        <Thread conversationKey={key} messages={messages} target={target} live={live}>
          <ThreadEnd view={view} onShow={onShow} />
        </Thread>
      </Branches>
    </BranchActions>
  )
}

// One shared element, so that it is no reason to render the rows again.
const CONTINUE_BUTTON = <ContinueButton />

function ContinueButton() {
  const t = useTranslate()
  const actions = useBranchActions()
  if (actions === null || actions.model === null) return null
  const onContinue = () => {
    const { history, choice } = actions.current()
    if (choice === null) return
    askIn(history, choice, CONTINUE)
    focusComposerWhereKeysAre()
  }
  return (
    <Button variant="subtle" color="gray" size="xs" disabled={actions.cannotAsk !== null} onClick={onContinue}>
      {t('message.goOn')}
    </Button>
  )
}

/** The latest ask of this conversation, even when it is over. */
function useLatestAsk(reading: string, running: string | null): string | null {
  const [latest, setLatest] = useState({ reading, ask_id: running })
  const next = latest.reading === reading ? (running ?? latest.ask_id) : running
  if (latest.reading !== reading || latest.ask_id !== next) setLatest({ reading, ask_id: next })
  return next
}

function ThreadEnd({ view, onShow }: LiveThreadProps) {
  const { ask, messages, choice, history } = view
  const open = unansweredOf(ask, unansweredIn(messages), history)
  const on = {
    retry: () => {
      if (open === null || choice === null) return
      tryAgain(open, history, choice)
      focusComposerWhereKeysAre()
    },
    giveUp: async () => {
      if (open === null) return
      if (await giveUp(open, history)) onShow(null)
      focusComposer()
    },
  }
  if (ask === null) return open === null ? null : <NoAnswer open={open} history={history} on={on} />
  const { state } = ask
  switch (state.phase) {
    case 'sending':
    case 'waiting':
      return <Thinking ask={ask} />
    case 'queueing':
      return <QueuePanel {...state} onLeave={() => stopAsk(ask.ask_id)} />
    case 'quiet':
      return <WaitingForQuiet ask_id={ask.ask_id} state={state} onStopped={on.giveUp} />
    case 'failed':
      return goesOnUnseen(state) ? (
        <GoesOnNote />
      ) : (
        <FailedNote failed={{ ...state, ...identityOf(ask) }} isKept={open?.kind === 'again'} on={on} />
      )
    case 'replying':
    case 'finished':
    case 'stopped':
    case 'interrupted':
      return null
  }
}

type NoAnswerProps = { open: Unanswered; history: ConversationHistory | null; on: { retry(): void; giveUp(): void } }

/** The note for a question whose ask this page has not seen: the history says why it failed, if it did. */
function NoAnswer({ open, history, on }: NoAnswerProps) {
  const failed = open.kind === 'stored' ? history?.failures?.[open.question.id] : undefined
  if (history === null || failed === undefined) return <UnansweredNote on={on} />
  return (
    <FailedNote failed={{ ...failed, conversation_id: history._id, source: history.source }} isKept={false} on={on} />
  )
}

const identityOf = ({ ask_id, conversation_id, request }: Ask) => ({
  ask_id,
  conversation_id,
  source: request?.source,
  model: request?.model,
})
