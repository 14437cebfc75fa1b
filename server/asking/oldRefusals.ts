import type { RefusalKey } from '#contract/refusals.ts'
import type { Failure } from './liveReply.ts'

/** Refusals that old clients have no text for, in words. They get them with a key that they know. */
const UNKNOWN_TO_THEM: Partial<Record<RefusalKey, string>> = {
  'openai.quota': 'The balance or quota at the provider is used up.',
  'openai.contextTooLong': 'The conversation is longer than the model can read.',
  'openai.modelNotFound': 'The provider does not have this model.',
  'openai.contentFilter': 'The content filter of the provider stopped this.',
  'openai.cutOff': 'The provider broke off before the answer was complete.',
  diskFull: 'The disk of the server is full, so nothing can be stored.',
  diskNotWritable: 'The disk of the server cannot be written to, so nothing can be stored.',
  'openai.thoughtsOnly': 'The model thought but wrote no answer.',
}

/** A failure for old clients; `words` are set where its own key is unknown to them. */
export function asOldClientsKnowIt({ key, values }: Failure): Failure & { words: string | null } {
  const words = UNKNOWN_TO_THEM[key] ?? null
  return { key: words === null ? key : key.startsWith('openai.') ? 'openai.unknown' : 'unknownError', values, words }
}
