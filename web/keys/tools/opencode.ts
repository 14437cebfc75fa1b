import type { Tool } from './tool.ts'

export const opencode: Tool = {
  id: 'opencode',
  name: 'opencode',
  mark: 'oc',
  dialect: 'chat',
  file: '~/.config/opencode/opencode.json',
  install: 'npm install -g opencode-ai',
  snippet: ({ address, key, model }) =>
    JSON.stringify(
      {
        provider: {
          commons: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Chat Commons',
            options: { baseURL: `${address}/v1`, apiKey: key },
            models: {
              [model]: { name: model, attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } },
            },
          },
        },
        model: `commons/${model}`,
      },
      null,
      2,
    ),
  isSeenAs: /^opencode/i,
}
