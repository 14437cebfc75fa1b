import type { RowState } from '#web/conversations/rowState.ts'
import { type Ask, goesOnUnseen, hasText } from './askState.ts'

/** What an ask is to the row of its conversation; once it is over, what it is to whoever was elsewhere. */
export function rowStateOf(ask: Ask): RowState | null {
  const { state } = ask
  switch (state.phase) {
    case 'queueing': return { kind: 'queueing', place: state.place }
    case 'sending':
    case 'waiting':
    case 'replying': return { kind: 'replying' }
    case 'failed': return goesOnUnseen(state) ? { kind: 'replying' } : broken(ask)
    case 'interrupted': return broken(ask)
    case 'stopped': return hasText(ask) ? { kind: 'answered' } : null
    case 'finished': return { kind: 'answered' }
    case 'idle': return null
  }
}

/** A part of an answer is one, and counts. */
const broken = (ask: Ask): RowState => ({ kind: hasText(ask) ? 'interrupted' : 'failed' })
