import type { AnswerPart, ReadCall } from './chatReader.ts'

/** A part of an answer as the other dialects have it: it begins, grows and ends before the next one begins. */
export type AnswerBlock = { index: number; kind: AnswerPart['kind']; call: ReadCall | null }

export type BlockEvent =
  | { type: 'begin'; block: AnswerBlock }
  | { type: 'delta'; block: AnswerBlock; text: string }
  | { type: 'end'; block: AnswerBlock; text: string }

/** `tried`: whether the open block was asked to end for it. */
type WaitingBlock = { kind: AnswerPart['kind']; call: ReadCall | null; text: string; tried: boolean }

/**
 * Puts the parts of a chat in order. In a chat the pieces of several calls may come in turn, and a call may grow before
 * its name is known; what cannot begin yet waits.
 */
export function answerBlocks() {
  let open: { block: AnswerBlock; pieces: string[] } | null = null
  let count = 0
  const waiting: WaitingBlock[] = []
  const ended = new Set<ReadCall>()

  function begin({ kind, call, text }: WaitingBlock): BlockEvent[] {
    const block = { index: count, kind, call }
    count += 1
    open = { block, pieces: [] }
    return [{ type: 'begin', block }, ...grow(text)]
  }

  function grow(text: string): BlockEvent[] {
    if (open === null || text === '') return []
    open.pieces.push(text)
    return [{ type: 'delta', block: open.block, text }]
  }

  function endOpen(): BlockEvent[] {
    if (open === null) return []
    const { block, pieces } = open
    open = null
    if (block.call !== null) ended.add(block.call)
    return [{ type: 'end', block, text: pieces.join('') }]
  }

  /** Read once for each block that would follow: arguments may be long. */
  const mayEnd = (): boolean => open === null || open.block.call === null || isJson(open.pieces.join(''))

  function addWaiting(part: AnswerPart): void {
    const call = part.kind === 'call' ? part.call : null
    const last = waiting.at(-1)
    const known =
      call === null ? (last?.kind === part.kind ? last : undefined) : waiting.find(each => each.call === call)
    if (known === undefined) waiting.push({ kind: part.kind, call, text: part.text, tried: false })
    else known.text += part.text
  }

  /** Begins what waits, as far as it may. `all`: nothing more comes. */
  function beginWaiting(all: boolean): BlockEvent[] {
    const events: BlockEvent[] = []
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (!all && (next.tried || next.call?.name === '')) break
      next.tried = true
      if (!all && !mayEnd()) break
      waiting.shift()
      events.push(...endOpen(), ...begin(next))
    }
    return events
  }

  return {
    push(part: AnswerPart): BlockEvent[] {
      const call = part.kind === 'call' ? part.call : null
      if ((call === null && part.text === '') || (call !== null && ended.has(call))) return []
      if (open?.block.kind === part.kind && open.block.call === call && (call !== null || waiting.length === 0))
        return grow(part.text)
      addWaiting(part)
      return beginWaiting(false)
    },
    finish: (): BlockEvent[] => [...beginWaiting(true), ...endOpen()],
    isCalling: (): boolean => ended.size > 0,
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
