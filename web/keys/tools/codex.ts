import type { Tool } from './tool.ts'

/** A provider of its own: the built-in one tries a WebSocket first. */
export const codex: Tool = {
  id: 'codex',
  name: 'Codex',
  mark: 'Cx',
  dialect: 'responses',
  file: '~/.codex/config.toml',
  install: 'npm install -g @openai/codex',
  snippet: ({ address, key, model }) =>
    `model = "${model}"
model_provider = "commons"

[model_providers.commons]
name = "Chat Commons"
base_url = "${address}/v1"
experimental_bearer_token = "${key}"
wire_api = "responses"`,
  isSeenAs: /^codex/i,
}
