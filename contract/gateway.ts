/**
 * The dialects of other tools (docs/gateway.md): chat completions and responses as OpenAI has them, messages as
 * Anthropic has them.
 */
export const DIALECTS = ['chat', 'responses', 'messages'] as const
export type Dialect = (typeof DIALECTS)[number]
