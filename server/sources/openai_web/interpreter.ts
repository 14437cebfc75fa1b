import type { QueryOf } from '#contract/call.ts'
import type { InterpreterInfo, readInterpreterFile } from '#contract/conversations.ts'
import { sourceOf } from '#server/conversations/history.ts'
import type { Owned } from '#server/conversations/owned.ts'
import type { Relayed } from '#server/foundation/http/relayed.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { isUnknown } from './conversations/copies.ts'

type Dependencies = { upstreams: Pick<Upstreams, 'reach'>; providers: Providers; closing: AbortSignal }

type SandboxFile = QueryOf<typeof readInterpreterFile>

/** The account and team that keep the conversation, and its id there. */
type ConversationAtAccount = { endpoint: ProviderEndpoint; id: string }

const NOT_STARTED: InterpreterInfo = { kernel_started: false, time_remaining_ms: 0 }

export type Interpreter = ReturnType<typeof openInterpreter>

/** What the code interpreter of a conversation is doing at its upstream, and the files that it has written. */
export function openInterpreter({ upstreams, providers, closing }: Dependencies) {
  const port = <Name extends Parameters<typeof requirePort>[1]>(name: Name) => requirePort(providers.openai_web, name)

  /** Null before the first answer, when the upstream does not know the conversation yet. */
  function kept(conversation: Owned): ConversationAtAccount | null {
    const { upstream_id, upstream_conversation_id, source_id } = conversation
    if (sourceOf(conversation) !== 'openai_web') throw new Refusal('notSupportedBySource')
    if (upstream_id === null || upstream_conversation_id === null) return null
    return { endpoint: inTeam(upstreams.reach({ id: upstream_id }), source_id), id: upstream_conversation_id }
  }

  /**
   * Whoever asks for a file of the interpreter asks for one of ours, as it were: to old clients it is not found like
   * any other.
   */
  async function find(conversation: Owned, file: SandboxFile): Promise<{ endpoint: ProviderEndpoint; url: string }> {
    const there = kept(conversation)
    if (there === null) throw new Refusal('resourceNotFound')
    try {
      return { endpoint: there.endpoint, url: await port('sandboxFileUrl')(there.endpoint, there.id, file, closing) }
    } catch (cause) {
      const isGone = isUnknown(cause) || (cause instanceof Refusal && cause.key === 'sandboxFileNotFound')
      throw isGone ? new Refusal('resourceNotFound') : cause
    }
  }

  return {
    async info(conversation: Owned): Promise<InterpreterInfo> {
      const there = kept(conversation)
      if (there === null) return NOT_STARTED
      try {
        return await port('readInterpreter')(there.endpoint, there.id, closing)
      } catch (error) {
        // Nothing runs for a conversation that the upstream does not know.
        if (isUnknown(error)) return NOT_STARTED
        throw error
      }
    },

    /** The portal's own address of a file, once it has been seen to be there. */
    async fileUrl(conversation: Owned, file: SandboxFile): Promise<string> {
      await find(conversation, file)
      return `/api/conv/${conversation.conversation_id}/interpreter/file?${new URLSearchParams(file)}`
    },

    async file(conversation: Owned, file: SandboxFile): Promise<Relayed> {
      const { endpoint, url } = await find(conversation, file)
      return {
        ...(await port('openFile')(endpoint, url, closing)),
        name: file.sandbox_path.slice(file.sandbox_path.lastIndexOf('/') + 1) || null,
      }
    },
  }
}
