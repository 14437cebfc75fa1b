import { createHash } from 'node:crypto'
import type { ToolName, ToolNames } from './translated.ts'

/** Characters of a tool's name in a chat. */
const MAX_NAME = 64
const HASH_LENGTH = 8

/**
 * Names of tools as a chat may have them: 64 letters, digits, "_" and "-", without namespaces. The same tool has the
 * same name in every request, since upstreams cache what a request begins with.
 */
export function toolNames() {
  const byChatName = new Map<string, ToolName>()
  const chatNames = new Map<string, string>()

  return {
    chatName(tool: ToolName): string {
      const key = JSON.stringify([tool.namespace, tool.name])
      const known = chatNames.get(key)
      if (known !== undefined) return known
      const whole = joined(tool)
      const plain = whole.replace(/[^a-zA-Z0-9_-]/g, '_')
      const fits = plain !== '' && plain === whole && plain.length <= MAX_NAME && !byChatName.has(plain)
      const name = fits ? plain : `${plain.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hash(key)}`
      chatNames.set(key, name)
      byChatName.set(name, tool)
      return name
    },
    byChatName: byChatName as ToolNames,
  }
}

function joined({ name, namespace }: ToolName): string {
  if (namespace === null) return name
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)
