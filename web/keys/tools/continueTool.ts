import type { Tool } from './tool.ts'

export const continueTool: Tool = {
  id: 'continue',
  name: 'Continue',
  mark: 'Co',
  dialect: 'chat',
  file: '~/.continue/config.yaml',
  install: 'npm install -g @continuedev/cli',
  snippet: ({ address, key, model }) =>
    `name: Chat Commons
version: 1.0.0
schema: v1
models:
  - name: ${JSON.stringify(model)}
    provider: openai
    model: ${JSON.stringify(model)}
    apiBase: ${address}/v1
    apiKey: ${key}
    roles: [chat]`,
  isSeenAs: /continue/i,
}
