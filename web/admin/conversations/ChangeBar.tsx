import { useState } from 'react'
import type { ConversationAction, ConversationRow } from '#contract/conversationAdministration.ts'
import type { UserRow } from '#contract/userAdministration.ts'
import { BulkBar } from '#web/admin/table/BulkBar.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { AssignPanel } from './AssignPanel.tsx'
import { actionsFor, type Chosen, countsFor, requestFor } from './chosen.ts'
import { confirmVanish } from './confirmations.ts'
import { ChangeSum } from './ChangeSum.tsx'
import type { ConversationChange, useConversationChange } from './useConversationChange.ts'

type Changes = ReturnType<typeof useConversationChange>

type ChangeBarProps = {
  chosen: Chosen
  changes: Changes
  onClear(): void
  /** Chooses all that match the filters; null when no more match than are ticked. */
  onAll: (() => void) | null
}

/** The bulk bar: actions on the chosen conversations, then progress, then the result. */
export function ChangeBar({ chosen, changes, onClear, onAll }: ChangeBarProps) {
  const { change, isOver } = changes
  if (change !== null && isOver) return <ChangeSum change={change} changes={changes} />
  if (change !== null) return <Running change={change} onStop={changes.stop} />
  if (chosen.count === 0) return null
  return <Actions chosen={chosen} changes={changes} onClear={onClear} onAll={onAll} />
}

function Running({ change, onStop }: { change: ConversationChange; onStop(): void }) {
  const t = useTranslate()
  const { job, action } = change
  const [done, total] = [job?.done ?? 0, job?.total ?? 0]
  const text =
    job?.state === 'stopping'
      ? t('table.stopping')
      : action === null || total === 0
        ? t('table.begins')
        : t(`conv.doing.${action}`, { done, total })
  return (
    <BulkBar state={{ phase: 'running', text, done, total, onStop: job?.state === 'stopping' ? undefined : onStop }} />
  )
}

function Actions({ chosen, changes, onClear, onAll }: ChangeBarProps) {
  const t = useTranslate()
  const [assigning, setAssigning] = useState(false)
  const run = async (action: ConversationAction) => {
    if (action === 'assign') return setAssigning(!assigning)
    if (action === 'vanish' && !(await confirmVanish(chosen))) return
    await changes.start(requestFor(chosen, action))
  }
  const assign = (user: UserRow) => {
    setAssigning(false)
    void changes.start(requestFor(chosen, 'assign', user.id), user)
  }
  const { count } = chosen
  const isHidden = ({ is_valid }: ConversationRow) => !is_valid
  return (
    <>
      {assigning && (
        <AssignPanel
          assigned={{
            count,
            hidden: chosen.by === 'ticks' ? chosen.rows.filter(isHidden).length : 0,
            counts: user_id => countsFor(chosen, user_id),
          }}
          onAssign={assign}
          onClose={() => setAssigning(false)}
        />
      )}
      <BulkBar
        state={{
          phase: 'selected',
          text: t(chosen.by === 'ticks' ? 'conv.chosen' : 'conv.allChosen', { count }),
          actions: [
            ...actionsFor(chosen).map(action => ({
              label: t(`conv.do.${action}`),
              testid: `bulk-${action}`,
              ...(action === 'assign' && { expanded: assigning }),
              run: () => void run(action),
            })),
            ...(onAll === null ? [] : [{ label: t('conv.chooseAll'), testid: 'bulk-all', run: onAll }]),
          ],
          onClear,
        }}
      />
    </>
  )
}
