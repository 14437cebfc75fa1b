import type { Tool } from './tool.ts'

/** Zed takes the key from its own settings of the provider, or from the variable that has its name. */
export const zed: Tool = {
  id: 'zed',
  name: 'Zed',
  mark: 'Ze',
  dialect: 'chat',
  file: '~/.config/zed/settings.json',
  install: null,
  snippet: ({ address, key, model }) =>
    `// Key, in Agent Settings or as COMMONS_API_KEY: ${key}
${JSON.stringify({ language_models: { openai_compatible: { commons: provider(address, model) } } }, null, 2)}`,
  isSeenAs: /^zed/i,
}

/** `max_tokens`: what Zed takes the model to read at most. */
const provider = (address: string, model: string) => ({
  api_url: `${address}/v1`,
  available_models: [
    { name: model, display_name: model, max_tokens: 128_000, capabilities: { tools: true, images: true } },
  ],
})
