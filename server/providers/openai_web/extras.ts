import * as z from 'zod/mini'
import type { Question } from '../provider.ts'

/** What goes with a question to a web account alone. */
const WebExtras = z.object({
  /** The plugins that a new conversation is begun with; none when the account has the conversation already. */
  plugin_ids: z._default(z.array(z.string()), []),
  /** The custom GPT that the conversation is had with; null where there is none. */
  gizmo_id: z._default(z.nullable(z.string()), null),
  /** What the person's browser has fetched. */
  arkose_token: z._default(z.nullable(z.string()), null),
})
export type WebExtras = z.infer<typeof WebExtras>

export const webExtrasOf = ({ extras }: Pick<Question, 'extras'>): WebExtras => WebExtras.parse(extras)
