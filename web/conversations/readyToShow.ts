import type { ConversationHistory } from '#contract/conversations.ts'
import { pathTo } from '#contract/messageTree.ts'
import { textOf } from '#contract/messages.ts'
import { loadSteps } from '#web/messages/Steps.tsx'
import { stepKindOf } from '#web/messages/steps.ts'
import { prepareBlocks } from '#web/messages/markdown/parseWhole.ts'
import { type Turn, turnsOf } from '#web/messages/turn.ts'
import { screenful } from './screenful.ts'

/** Parses what will be on the screen first, a piece a task: putting it there is then quick, and the page answers meanwhile. */
export async function readyToShow<H extends Pick<ConversationHistory, 'mapping' | 'current_node'>>(
  history: H,
): Promise<H> {
  // To read it from the wire was a piece of work, too.
  await nextTask()
  const turns = turnsOf(pathTo(history.mapping, history.current_node))
  const loading = turns.some(({ replies }) => replies.some(reply => stepKindOf(reply) !== null)) ? loadSteps() : null
  const steps = prepareTurns(turns.slice(-screenful(turns, innerHeight)))
  while (!steps.next().done) await nextTask()
  // What cannot be fetched now is fetched when it is shown.
  await loading?.catch(() => undefined)
  return history
}

/** Parses these turns before they are shown, a piece of work a step. */
export function* prepareTurns(turns: readonly Turn[]): Generator<undefined, void> {
  for (const { replies } of turns) {
    for (const reply of replies) if (reply.content?.content_type === 'text') yield* prepareBlocks(textOf(reply))
  }
}

const nextTask = () => new Promise(resolve => setTimeout(resolve))
