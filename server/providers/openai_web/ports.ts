import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { ProviderPorts } from '../ports.ts'
import { accountPorts } from './accounts.ts'
import { conversationPorts } from './conversations.ts'
import { filePorts } from './files.ts'
import { interpreterPorts } from './interpreter.ts'
import { pluginPorts } from './plugins.ts'
import { openWebRequests } from './request.ts'
import { webStorage } from './storage.ts'

/** All that a web account can do beside answering. It has no list of models. */
export function webPorts(outbound: Outbound): Omit<ProviderPorts, 'models'> {
  const ask = openWebRequests(outbound)
  return {
    ...conversationPorts(ask),
    ...pluginPorts(ask),
    ...interpreterPorts(ask),
    ...filePorts(ask),
    ...webStorage(outbound),
    ...accountPorts(ask),
  }
}
