import type { InterpreterInfo } from '#contract/conversations.ts'
import type { Fields } from '../looseJson.ts'
import type { ProviderPorts } from '../ports.ts'
import { downloadUrlIn, type FileRefusals, orMissing } from './fileAnswers.ts'
import { type AskWeb, pathPart } from './request.ts'

type Ports = Pick<ProviderPorts, 'readInterpreter' | 'sandboxFileUrl'>

const REFUSALS: FileRefusals = { missing: 'sandboxFileNotFound', other: 'sandboxFileDownloadError' }
/** Milliseconds: a day. */
const MAX_REMAINING = 86_400_000

/** The interpreter of a conversation, and the files in its sandbox. */
export function interpreterPorts(ask: AskWeb): Ports {
  return {
    readInterpreter(endpoint, id, signal) {
      const path = `conversation/${pathPart(id)}/interpreter`
      return ask(endpoint, { method: 'GET', path }, interpreterIn, signal)
    },

    sandboxFileUrl(endpoint, id, { message_id, sandbox_path }, signal) {
      const path = `conversation/${pathPart(id)}/interpreter/download`
      const request = { method: 'GET', path, query: { message_id, sandbox_path } } as const
      return orMissing(
        ask(endpoint, request, answer => downloadUrlIn(answer, REFUSALS), signal),
        REFUSALS.missing,
      )
    },
  }
}

function interpreterIn({ kernel_started, time_remaining_ms }: Fields): InterpreterInfo | null {
  if (typeof kernel_started !== 'boolean') return null
  const remaining = typeof time_remaining_ms === 'number' ? time_remaining_ms : 0
  return { kernel_started, time_remaining_ms: Math.round(Math.min(Math.max(remaining, 0), MAX_REMAINING)) }
}
