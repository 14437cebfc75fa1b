import type { Tool } from './tool.ts'

export const claudeCode: Tool = {
  id: 'claude-code',
  name: 'Claude Code',
  mark: 'Cl',
  dialect: 'messages',
  file: null,
  install: 'npm install -g @anthropic-ai/claude-code',
  snippet: ({ address, key, model }) =>
    `export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_AUTH_TOKEN="${key}"
export ANTHROPIC_MODEL="${model}"
claude`,
  isSeenAs: /^claude/i,
}
