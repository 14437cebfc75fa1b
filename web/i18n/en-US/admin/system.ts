import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { system as zhCN } from '#web/i18n/zh-CN/admin/system.ts'

export const system: TextsOf<typeof zhCN> = {
  'system.context': 'Updated every {count} {count|second|seconds}',
  'system.active': 'Active users',
  'system.active.5m': 'in 5 minutes',
  'system.active.1h': 'in 1 hour',
  'system.active.1d': 'in 1 day',
  'system.portal': 'Portal',
  'system.version': 'Version',
  'system.zone': 'Time zone',
  'system.sources': 'Sources',
  'system.source.on': 'On',
  'system.source.off': 'Off',
  'system.models': 'Models',
  'system.none': 'None',
  'system.demonstration': 'This is a demonstration: answers come from the built-in simulator',
  'system.demonstration.why': 'No real account or key is connected, so that everything can be tried without one.',
  'system.connect': 'Connect a real upstream',
  'system.demonstration.tag': 'Demonstration',
  'system.connect.address': 'Address',
  'system.connect.address.help': 'As far as /v1/; empty means OpenAI. Ollama, vLLM, LiteLLM and others will do',
  'system.connect.secret': 'Key',
  'system.connect.secret.help': 'Written, never shown again; services on this machine often need none',
  'system.connect.verb': 'Connect',
  'system.connect.wrong': 'The address begins with http:// or https://',
  'system.connect.done': 'Connected. Answers now come from the real upstream',
  'system.connect.other': 'Connect by environment variables',
  'system.connect.key': 'OpenAI: set a key and start again.',
  'system.connect.url':
    'Any OpenAI-compatible service (Ollama, vLLM, LiteLLM and others): set its address, as far as /v1/.',
  'system.connect.models': 'The models that it lists are offered. Others can be added under openai_api.further_models.',
}
