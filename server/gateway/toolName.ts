import type { IncomingHttpHeaders } from 'node:http'
import { withoutKeys } from '#server/foundation/logging.ts'

/** Programs by what they call themselves; the first that fits. */
const TOOLS: readonly [RegExp, string][] = [
  [/^codex/i, 'Codex'],
  [/^claude-cli|claude-code/i, 'Claude Code'],
  [/opencode/i, 'opencode'],
  [/continue/i, 'Continue'],
  [/aider|litellm/i, 'aider'],
  [/^ai-sdk|^ai\//i, 'AI SDK'],
  [/^(?:Async)?OpenAI\/Python/i, 'openai (Python)'],
  [/^(?:Async)?Anthropic\/Python/i, 'anthropic (Python)'],
  [/^OpenAI\/JS/i, 'openai (JavaScript)'],
  [/^Anthropic\/JS/i, 'anthropic (JavaScript)'],
]

/** The first word of it, without a version. */
const FIRST_WORD = /^[\w.+-]{1,40}/

/** What the program that asks is called; null where it does not say. */
export function toolName({ 'user-agent': agent, 'x-app': app }: IncomingHttpHeaders): string | null {
  if (agent === undefined) return null
  if (app === 'cli' && /^claude/i.test(agent)) return 'Claude Code'
  return TOOLS.find(([pattern]) => pattern.test(agent))?.[1] ?? FIRST_WORD.exec(withoutKeys(agent))?.[0] ?? null
}
