import { describe, expect, test } from 'vitest'
import { toolName } from './toolName.ts'

describe('a tool', () => {
  test.each([
    ['codex_exec/0.171.0 (Debian 12; x86_64)', 'Codex'],
    ['codex-tui/0.171.0', 'Codex'],
    ['claude-cli/2.1.332 (external, cli)', 'Claude Code'],
    ['opencode/1.18.33 ai-sdk/provider-utils', 'opencode'],
    ['AsyncOpenAI/Python 3.57.0', 'openai (Python)'],
    ['OpenAI/JS 7.59.0', 'openai (JavaScript)'],
    ['Anthropic/JS 1.14.0', 'anthropic (JavaScript)'],
    ['litellm/1.80', 'aider'],
    ['curl/8.5.0', 'curl'],
    ['<script>alert(1)</script>', null],
    [undefined, null],
  ])('that calls itself %s is %s', (agent, name) => {
    expect(toolName({ 'user-agent': agent })).toBe(name)
  })
  test('with a name of its own is called by its first word, cut short', () => {
    expect(toolName({ 'user-agent': `${'x'.repeat(200)}/1` })).toHaveLength(40)
  })
})
