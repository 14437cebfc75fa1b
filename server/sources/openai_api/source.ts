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
  attachments: [],
  // Files are with web accounts; one that an older client names is ignored, where people may upload at all.
  takesUploads: ({ openai_web }) => !openai_web.disable_uploading,
  plan: () => null,
  needsBrowserToken: () => false,
  provider: openaiApiProvider,
  open: () => ({ asks: { extras } }),
}
