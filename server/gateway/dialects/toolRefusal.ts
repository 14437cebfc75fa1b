/**
 * What is wrong, as far as tools act on it: each dialect says it in the form that makes its tools do the right thing.
 */
export type RefusalKind =
  | 'badKey'
  | 'notAllowed'
  | 'unknownModel'
  | 'limit'
  | 'upstreamAway'
  | 'content'
  | 'invalid'
  | 'tooLarge'
  | 'mediaType'
  | 'unknownPath'
  | 'wrongMethod'
  | 'internal'

export type ToolRefusal = {
  kind: RefusalKind
  /** In whole sentences, with the moment where there is one. */
  message: string
  /** When to ask again; null where nobody knows, or waiting does not help. */
  again: { seconds: number; time: number } | null
  /** The field of the request that is wrong. */
  param: string | null
}

export type RefusalAnswer = { status: number; headers: Record<string, string>; body: unknown }

/** Seconds. Tools wait so long by themselves; told of a longer wait, some hang silently and some try without end. */
export const MAX_TOOL_WAIT = 60

const NO_RETRY = { 'x-should-retry': 'false' }
const retryAfter = ({ again }: ToolRefusal): Record<string, string> =>
  again === null ? {} : { 'retry-after': String(again.seconds) }

export const waitsByItself = ({ again }: ToolRefusal): boolean => again !== null && again.seconds <= MAX_TOOL_WAIT

/** Headers by which tools decide whether to try again. */
export function retryHeaders(refusal: ToolRefusal): Record<string, string> {
  switch (refusal.kind) {
    case 'limit':
      return waitsByItself(refusal) ? retryAfter(refusal) : { ...retryAfter(refusal), ...NO_RETRY }
    case 'upstreamAway':
      return waitsByItself(refusal) ? NO_RETRY : { ...retryAfter(refusal), ...NO_RETRY }
    case 'badKey':
    case 'internal':
      return NO_RETRY
    default:
      return {}
  }
}

/** With that code Codex and opencode show the message of a stream that failed, and do not try again. */
const SHOWN_ONCE: ReadonlySet<RefusalKind> = new Set(['badKey', 'notAllowed', 'unknownModel', 'content', 'invalid'])

/** What a stream of responses says of why it failed. */
export const codeInStream = (kind: RefusalKind): string =>
  SHOWN_ONCE.has(kind) ? 'invalid_prompt' : kind === 'limit' ? 'rate_limit_exceeded' : 'server_error'
