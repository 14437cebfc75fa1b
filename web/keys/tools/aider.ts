import type { Tool } from './tool.ts'

export const aider: Tool = {
  id: 'aider',
  name: 'aider',
  mark: 'ai',
  dialect: 'chat',
  file: null,
  install: 'pip install aider-chat',
  snippet: ({ address, key, model }) =>
    `export OPENAI_API_BASE="${address}/v1"
export OPENAI_API_KEY="${key}"
aider --model "openai/${model}"`,
  isSeenAs: /^(?:aider|litellm)/i,
}
