import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { pathTo } from '#contract/messageTree.ts'
import { prepareBlocks } from '#web/messages/markdown/parser/parseWhole.ts'
import { loadSteps } from '#web/messages/Steps.tsx'
import { stepKindOf } from '#web/messages/steps.ts'
import { type Turn, turnsOf } from '#web/messages/turn.ts'
import { turnsPerScreen } from './turnWindow.ts'

/**
 * Parses what will be on the screen first, in several tasks: the page stays responsive, and rendering it is then quick.
 */
export async function prepareHistory<H extends Pick<ConversationHistory, 'mapping' | 'current_node'>>(
  history: H,
): Promise<H> {
  // Decoding the response has taken time in this task already.
  await nextTask()
  const turns = turnsOf(pathTo(history.mapping, history.current_node))
  const loading = turns.some(({ replies }) => replies.some(reply => stepKindOf(reply) !== null)) ? loadSteps() : null
  const steps = prepareTurns(turns.slice(-turnsPerScreen(turns, innerHeight)))
  while (!steps.next().done) await nextTask()
  // If loading fails, the code is loaded again when the steps are rendered.
  await loading?.catch(() => undefined)
  return history
}

/** Parses these turns before they are rendered; each step of the generator is a small piece of work. */
export function* prepareTurns(turns: readonly Turn[]): Generator<undefined, void> {
  for (const { replies } of turns) {
    for (const reply of replies) if (reply.content?.content_type === 'text') yield* prepareBlocks(textOf(reply))
  }
}

const nextTask = () => new Promise(resolve => setTimeout(resolve))

/** Milliseconds of work in one task, so that scrolling is not delayed. */
const SLICE_MS = 8

/** Does the next steps of a work for one slice of time; says whether all are done. */
export function runSlice(steps: Iterator<unknown>): boolean {
  const until = performance.now() + SLICE_MS
  let isDone = steps.next().done === true
  while (!isDone && performance.now() < until) isDone = steps.next().done === true
  return isDone
}
