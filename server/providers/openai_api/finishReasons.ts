/** What an endpoint says why its answer ended. `unknown` is no known good end, so that the answer is not taken for a whole one. */
export type Finish = { kind: 'whole' | 'filtered' | 'unknown'; reason: string | null }

/** By letters alone: endpoints differ in case, and in what parts the words. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  stop: [
    'stop',
    'stopsequence',
    'stopstring',
    'stoptoken',
    'stopword',
    'eos',
    'eostoken',
    'end',
    'endturn',
    'endofturn',
    'endoftext',
    'complete',
    'completed',
    'finish',
    'finished',
  ],
  length: [
    'length',
    'lengthlimit',
    'maxlength',
    'maxtokens',
    'maxnewtokens',
    'maxoutputtokens',
    'maxcompletiontokens',
    'maxtokensreached',
    'outputlimit',
    'tokenlimit',
    'modellength',
    'contextlength',
    'modelcontextwindowexceeded',
  ],
  tool_calls: ['toolcalls', 'toolcall', 'tooluse'],
  function_call: ['functioncall', 'functioncalls'],
  content_filter: [
    'contentfilter',
    'contentfiltered',
    'contentpolicy',
    'contentpolicyviolation',
    'filter',
    'filtered',
    'safety',
    'imagesafety',
    'prohibitedcontent',
    'blocklist',
    'spii',
    'recitation',
    'sensitive',
    'refusal',
    'moderation',
    'guardrail',
    'guardrailintervened',
    'errortoxic',
  ],
}
const BY_LETTERS = new Map(
  Object.entries(KNOWN).flatMap(([reason, spellings]) => spellings.map(spelling => [spelling, reason] as const)),
)

/** `null` where nothing is said: while an answer goes on, that is null or empty. */
export function finishOf(given: unknown): Finish | null {
  if (given === undefined || given === null || given === '' || given === false) return null
  if (typeof given !== 'string') return { kind: 'unknown', reason: null }
  const letters = given
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^finishreason(?=.)/, '')
  const known = BY_LETTERS.get(letters)
  if (known !== undefined) return { kind: known === 'content_filter' ? 'filtered' : 'whole', reason: known }
  return { kind: 'unknown', reason: /^[\w.-]{1,64}$/.test(given) ? given : null }
}
