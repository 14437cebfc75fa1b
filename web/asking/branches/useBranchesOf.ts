import { useEffect, useMemo, useState } from 'react'
import { textOf } from '#contract/messages.ts'
import type { Branches } from '#web/thread/BranchSwitch.tsx'
import { useShortcut } from '#web/foundation/shortcuts.ts'
import { growingTree } from '../threadOf.ts'
import type { Desk } from '../useDesk.ts'
import type { BranchDesk } from './branchDesk.ts'
import { editQuestion } from './editing.ts'
import { lookAt } from './lookAt.ts'
import { useBranchDeskOf } from './useBranchDeskOf.ts'

type Ways = {
  /** Null while the conversation is not stored. */
  ways: BranchDesk | null
  branches: Branches | null
  /** The message whose branch was gone to last. */
  looked: string | null
}

export function useBranchesOf(desk: Desk, onShow: (id: string | null) => void): Ways {
  const { id, key, history, ask, messages, target } = desk
  const ways = useBranchDeskOf(desk, onShow)
  const busy = ways?.busy ?? null
  const [looked, setLooked] = useState<{ reading: string; message_id: string } | null>(null)
  // The address names a message only until the reader goes elsewhere.
  const leaveTarget = target !== null && id !== null
  useEffect(() => {
    if (leaveTarget && busy !== null) onShow(id)
  }, [leaveTarget, busy, id, onShow])
  useEffect(() => () => editQuestion(null), [key])

  const branches = useMemo(
    (): Branches | null =>
      history && {
        conversation_id: history._id,
        mapping: growingTree(history, ask),
        busy,
        onBranch(message_id) {
          setLooked({ reading: key, message_id })
          if (leaveTarget) onShow(history._id)
          lookAt(history, message_id)
        },
      },
    [history, ask, busy, key, leaveTarget, onShow],
  )

  const last = messages.findLast(message => message.role === 'user' && textOf(message) !== '')
  const mayEdit =
    ways !== null && last !== undefined && busy === null && ways.notNow === null && last.id !== ways.unsent
  useShortcut('editLast', mayEdit ? () => editQuestion(last.id) : null)
  return { ways, branches, looked: looked?.reading === key ? looked.message_id : null }
}
