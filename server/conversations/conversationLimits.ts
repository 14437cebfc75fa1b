import type { Configuration } from '#contract/configuration/configuration.ts'
import { UNLIMITED } from '#contract/limits.ts'
import type { Source } from '#contract/models.ts'
import { userStore } from '#server/users/store.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { findEffectiveSetting } from '#server/policy/effectiveSetting.ts'
import { conversationStore } from './store.ts'

/**
 * Refuses another conversation to a person who has as many as allowed. Locks the person, so that two at the same
 * instant cannot both pass.
 */
export async function requireConversationAllowed(
  trx: Transaction,
  user_id: number,
  source: Source,
  { engine, configuration }: { engine: Engine; configuration: Configuration },
): Promise<void> {
  await userStore(trx).lock(user_id, engine)
  const setting = await findEffectiveSetting(trx, configuration, user_id, source)
  const max_conv_count = setting?.max_conv_count ?? UNLIMITED
  if (max_conv_count !== UNLIMITED && (await conversationStore(trx).countValid(user_id, source)) >= max_conv_count) {
    throw new Refusal('maxConversationCountReached', { max_conv_count })
  }
}

export type Size = { messages: number; bytes: number }

/** Refuses further messages in a conversation that is full, since it is read, shown and exported as a whole. */
export function requireNotFull(size: Size, configuration: Configuration): void {
  if (isFull(size, configuration)) throw new Refusal('conversationTooLong')
}

/** Whether a conversation of this size takes no further message. */
export function isFull({ messages, bytes }: Size, { asking }: Configuration): boolean {
  return messages >= asking.max_messages_per_conversation || bytes >= asking.max_conversation_bytes
}
