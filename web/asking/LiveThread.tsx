import { useState } from 'react'
import { Button } from '@mantine/core'
import { CONTINUE } from '#contract/asking.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { Branches } from '#web/thread/BranchSwitch.tsx'
import { Thread } from '#web/thread/Thread.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { giveUp, tryAgain, type Unanswered, unansweredOf } from './askActions.ts'
import { stopAsk } from './asks.ts'
import { type Ask, goesOnUnseen, isAwaited } from './askState.ts'
import { BranchDesk, useBranchDesk } from './branches/branchDesk.ts'
import { BRANCH_TOOLS } from './branches/branchTools.ts'
import { useBranchesOf } from './branches/useBranchesOf.ts'
import { focusComposer, focusComposerWhereKeysAre } from './composer/composerField.ts'
import { FailedNote } from './FailedNote.tsx'
import { feedOf } from './feeds.ts'
import { GoesOnNote } from './GoesOnNote.tsx'
import { QueuePanel } from './QueuePanel.tsx'
import { Thinking } from './Thinking.tsx'
import { mayGoOn, unansweredIn } from './threadOf.ts'
import { UnansweredNote } from './UnansweredNote.tsx'
import { ask as askIn } from './useAsk.ts'
import type { Desk } from './useDesk.ts'

type LiveThreadProps = { desk: Desk; onShow(id: string | null): void }

/** The thread with its branches, and at its end how the ask stands. */
export function LiveThread({ desk, onShow }: LiveThreadProps) {
  const { ask, key, messages, target } = desk
  const { ways, branches, looked } = useBranchesOf(desk, onShow)
  const growing = ask !== null && isAwaited(ask.state)
  const latestAsk = useLatestAsk(key, ask?.ask_id ?? null)
  const live = {
    feedOf,
    growing,
    latestAsk,
    chosenBranch: looked,
    tools: ways === null ? undefined : BRANCH_TOOLS,
    actions: ask === null && mayGoOn(messages) ? GO_ON : null,
  }
  return (
    <BranchDesk value={ways}>
      <Branches value={branches}>
        <Thread conversationKey={key} messages={messages} target={target} live={live}>
          <Tail desk={desk} onShow={onShow} />
        </Thread>
      </Branches>
    </BranchDesk>
  )
}

// One element for good, so that nothing is drawn anew for its sake.
const GO_ON = <GoOn />

function GoOn() {
  const t = useTranslate()
  const desk = useBranchDesk()
  if (desk === null || desk.model === null) return null
  const goOn = () => {
    const { history, choice } = desk.now()
    if (choice === null) return
    askIn(history, choice, CONTINUE)
    focusComposerWhereKeysAre()
  }
  return (
    <Button variant="subtle" color="gray" size="xs" disabled={desk.notNow !== null} onClick={goOn}>
      {t('message.goOn')}
    </Button>
  )
}

/** The ask that was begun last in this conversation, also when it is over. */
function useLatestAsk(reading: string, running: string | null): string | null {
  const [latest, setLatest] = useState({ reading, ask_id: running })
  const next = latest.reading === reading ? (running ?? latest.ask_id) : running
  if (latest.reading !== reading || latest.ask_id !== next) setLatest({ reading, ask_id: next })
  return next
}

function Tail({ desk, onShow }: LiveThreadProps) {
  const { ask, messages, choice, history } = desk
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
    case 'failed':
      return goesOnUnseen(state) ? (
        <GoesOnNote />
      ) : (
        <FailedNote failed={{ ...state, ...whatOf(ask) }} isKept={open?.kind === 'again'} on={on} />
      )
    case 'idle':
    case 'replying':
    case 'finished':
    case 'stopped':
    case 'interrupted':
      return null
  }
}

type NoAnswerProps = { open: Unanswered; history: ConversationHistory | null; on: { retry(): void; giveUp(): void } }

/** Nobody here has seen the ask: the server knows why it failed, if it did. */
function NoAnswer({ open, history, on }: NoAnswerProps) {
  const failed = open.kind === 'stored' ? history?.failures?.[open.question.id] : undefined
  if (history === null || failed === undefined) return <UnansweredNote on={on} />
  return (
    <FailedNote failed={{ ...failed, conversation_id: history._id, source: history.source }} isKept={false} on={on} />
  )
}

const whatOf = ({ ask_id, conversation_id, request }: Ask) => ({
  ask_id,
  conversation_id,
  source: request?.source,
  model: request?.model,
})
