import type { Reply } from './reply.ts'

/** A call of a tool in place of an answer, with the question as its input. */
export type ToolCall = { id: string; name: string; input: string }

/** What `/simulate tool=NAME` asks for. */
export function toolCallOf({ directives: { words } }: Reply, id: string): ToolCall | null {
  const name = words?.tool
  return name === undefined ? null : { id, name, input: JSON.stringify({ query: '你好, simulator' }) }
}
