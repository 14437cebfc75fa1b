import { UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { openaiApiProvider } from '#server/providers/openai_api/provider.ts'
import type { AskPorts } from '../ports.ts'
import type { SourceDefinition } from '../source.ts'

/** What only accounts of the web service have. */
const extras: AskPorts['extras'] = ({ openai_web_plugin_ids }) => {
  if ((openai_web_plugin_ids ?? []).length > 0) throw new Refusal('pluginsNotAllowed')
  return {}
}

/** Endpoints with a key: each question brings the conversation along. */
export const openaiApi: SourceDefinition = {
  code: 'openai_api',
  keepsConversations: false,
  attachments: ['picture', 'text', 'file'],
  filesAre: 'here',
  takesUploads: ({ files }) => files.max_attachments > 0,
  plan: () => null,
  needsBrowserToken: () => false,
  presumed: () => UNKNOWN_CAPABILITIES,
  provider: openaiApiProvider,
  open: () => ({ asks: { extras } }),
}
