import type { ConversationHistory } from '#contract/conversations.ts'
import { pathTo } from '#contract/messageTree.ts'
import { type Message, textOf } from '#contract/messages.ts'
import { prepareBlocks } from '#web/messages/markdown/wholeBlocks.ts'
import { turnsOf } from '#web/messages/turns.ts'
import { screenful } from './screenful.ts'

/** Parses what will be on the screen first, a piece a task: putting it there is then quick, and the page answers meanwhile. */
export async function readyToShow<H extends Pick<ConversationHistory, 'mapping' | 'current_node'>>(history: H): Promise<H> {
  const turns = turnsOf(pathTo(history.mapping, history.current_node))
  for (const { replies } of turns.slice(-screenful(turns, innerHeight))) {
    for (const reply of replies) await prepared(reply)
  }
  return history
}

async function prepared(message: Message): Promise<void> {
  if (message.content?.content_type !== 'text') return
  const steps = prepareBlocks(textOf(message))
  while (!steps.next().done) await nextTask()
}

const nextTask = () => new Promise(resolve => setTimeout(resolve))
