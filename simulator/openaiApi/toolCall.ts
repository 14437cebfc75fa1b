import type { Reply } from './reply.ts'

/** A call of a tool in place of an answer. */
export type ToolCall = { id: string; name: string; input: string }

const INPUT = JSON.stringify({ query: '你好, simulator' })

/** What `/simulate tool=NAME input=JSON` asks for, once: what the tool gave is answered in words. */
export function toolCallOf({ directives: { words }, isAboutResult }: Reply, id: string): ToolCall | null {
  const name = words?.tool
  return name === undefined || isAboutResult ? null : { id, name, input: words?.input ?? INPUT }
}
