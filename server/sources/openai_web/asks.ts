import { type AskAttachment, type AskRequest, MAX_PLUGINS } from '#contract/asking.ts'
import { WebConversationMetadata } from '#contract/conversations.ts'
import { webFilePointer } from '#contract/files.ts'
import type { Content } from '#contract/messages.ts'
import { PLUGIN_MODEL } from '#contract/models.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type WebExtras, webExtrasOf } from '#server/providers/openai_web/request.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import type { AccountPorts, AskPorts } from '../ports.ts'
import { requireTeam, usesTeam } from './conversations/team.ts'

type Dependencies = {
  /** The accounts that have all of these plugins installed, by the ids of their upstreams. */
  accountsWith(plugin_ids: readonly string[]): Promise<ReadonlySet<number>>
}

/**
 * What an ask of a web account has beside its question: plugins, a custom GPT, a token of Arkose, pictures and files, a
 * team.
 */
export const webAsks = ({ accountsWith }: Dependencies): AskPorts => ({
  extras: extrasOfRequest,

  async upstreamsFor(ask) {
    const { plugin_ids } = webExtrasOf(ask)
    return plugin_ids.length === 0 ? null : accountsWith(plugin_ids)
  },

  question: (text, attachments) => {
    const files = attachments.filter(({ as }) => as !== 'picture').map(attached)
    return {
      content: contentOf(text, attachments),
      metadata: { source: 'openai_web', ...(files.length > 0 && { attachments: files }) },
    }
  },

  metadata(ask) {
    const { plugin_ids } = webExtrasOf(ask)
    return plugin_ids.length === 0 ? null : { plugin_ids }
  },

  /** The account has the plugins of a conversation that it knows. */
  extrasIn({ conversation_metadata, upstream_conversation_id }, ask): WebExtras {
    const { arkose_token } = webExtrasOf(ask)
    const known = WebConversationMetadata.safeParse({ ...conversation_metadata, source: 'openai_web' }).data
    const plugin_ids = upstream_conversation_id === null ? (known?.plugin_ids ?? []) : []
    return { plugin_ids, gizmo_id: known?.gizmo_id || null, arkose_token }
  },

  accounts,
})

function extrasOfRequest({ model, new_conversation, openai_web_plugin_ids, arkose_token }: AskRequest): WebExtras {
  const plugin_ids = openai_web_plugin_ids ?? []
  if (plugin_ids.length > MAX_PLUGINS) throw new Refusal('pluginsCountMoreThan3')
  if (new_conversation && plugin_ids.length > 0 && model !== PLUGIN_MODEL) throw new Refusal('pluginsNotAllowed')
  return {
    // A conversation keeps those that it was begun with.
    plugin_ids: new_conversation ? [...new Set(plugin_ids)] : [],
    gizmo_id: null,
    arkose_token: arkose_token ?? null,
  }
}

function contentOf(text: string, attachments: readonly AskAttachment[]): Content {
  const pictures = attachments.filter(({ as }) => as === 'picture')
  if (pictures.length === 0) return { content_type: 'text', parts: [text] }
  const parts = pictures.map(({ file_id, size, width, height }) => ({
    content_type: 'image_asset_pointer' as const,
    asset_pointer: webFilePointer(file_id),
    size_bytes: size,
    width,
    height,
  }))
  return { content_type: 'multimodal_text', parts: [...parts, text] }
}

const attached = ({ file_id: id, name, size, width, height, mime_type: mimeType }: AskAttachment) => ({
  name: name ?? '',
  id,
  size,
  height,
  width,
  mimeType,
})

/** A web account has a personal account and may have a team. */
const accounts: AccountPorts = {
  choose({ configuration, setting }, source_id) {
    const isOfTeam = usesTeam(configuration, setting)
    requireTeam(source_id, isOfTeam)
    return (upstream, isKept) => (isKept || !isOfTeam ? source_id : upstream.team_account_id)
  },
  afterMove: (source_id, { team_account_id }) => (source_id === null ? null : team_account_id),
  reach: inTeam,
}
