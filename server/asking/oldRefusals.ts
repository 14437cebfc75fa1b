import type { RefusalKey } from '#contract/refusals.ts'
import type { Failure } from './liveReply.ts'

/** What old clients have no text for reaches them as a refusal that they know, with the reason in words. */
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

/** The refusal as old clients know it; `words` say what it is where its key does not. */
export function asOldClientsKnowIt({ key, values }: Failure): Failure & { words: string | null } {
  const words = UNKNOWN_TO_THEM[key] ?? null
  return { key: words === null ? key : key.startsWith('openai.') ? 'openai.unknown' : 'unknownError', values, words }
}
