import type { Configuration } from '#contract/configuration/configuration.ts'
import {
  type ConversationInstructions,
  type InstructionLayer,
  NO_CONVERSATION_INSTRUCTIONS,
  type OwnInstructions,
  sentInstructions,
} from '#contract/instructions.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { effectiveValues } from '#server/policy/effectiveSetting.ts'
import type { Caller } from '#server/users/user.ts'

const NOTHING_OWN: OwnInstructions = { about_me: '', how_to_answer: '', is_on: true, with_keys: false }

type Dependencies = { open: Pick<OpenDatabase, 'database'>; configuration(): Configuration }

export type Instructions = ReturnType<typeof openInstructions>

/** What models are told before the first question: by the portal, a plan, whoever asks, and for one conversation. */
export function openInstructions({ open, configuration }: Dependencies) {
  const portal = (): string | null => configuration().portal.instructions
  async function ofPlan(user_id: number, database: Database = open.database): Promise<string | null> {
    const { instructions } = await effectiveValues(database, configuration(), user_id)
    return instructions.value
  }

  return {
    portal,
    ofPlan,

    readOwn: async (user_id: number): Promise<OwnInstructions> =>
      (await instructionStore(open.database).ownOf(user_id)) ?? NOTHING_OWN,

    async saveOwn(user_id: number, given: OwnInstructions): Promise<OwnInstructions> {
      await instructionStore(open.database).saveOwn(user_id, given)
      return given
    },

    ofConversation: async (conversation_id: string): Promise<ConversationInstructions> =>
      (await instructionStore(open.database).ofConversation(conversation_id)) ?? NO_CONVERSATION_INSTRUCTIONS,

    async saveOfConversation(
      conversation_id: string,
      given: ConversationInstructions,
    ): Promise<ConversationInstructions> {
      await instructionStore(open.database).saveOfConversation(conversation_id, given)
      return given
    },

    /** What goes before the first question of an ask. Other tools bring instructions of their own along. */
    async forAsk(
      { user_id, kind }: Caller,
      conversation_id: string | null,
      database: Database = open.database,
    ): Promise<InstructionLayer[]> {
      const store = instructionStore(database)
      const [plan, own = NOTHING_OWN, conversation = NO_CONVERSATION_INSTRUCTIONS] = await Promise.all([
        ofPlan(user_id, database),
        store.ownOf(user_id),
        conversation_id === null ? undefined : store.ofConversation(conversation_id),
      ])
      const is_on = kind === 'key' ? own.with_keys : own.is_on
      return sentInstructions({ portal: portal(), plan, own: { ...own, is_on }, conversation })
    },
  }
}

/** Queries and nothing else. Takes a transaction as well as the database. */
export function instructionStore(database: Database) {
  const ofConversation = (conversation_id: string) =>
    database
      .selectFrom('conversation_instructions')
      .select(['instructions as text', 'with_own'])
      .where('conversation_id', '=', conversation_id)
      .executeTakeFirst()

  const saveOfConversation = (conversation_id: string, { text, with_own }: ConversationInstructions) =>
    database
      .insertInto('conversation_instructions')
      .values({ conversation_id, instructions: text, with_own })
      .onConflict(conflict => conflict.column('conversation_id').doUpdateSet({ instructions: text, with_own }))
      .execute()

  return {
    ownOf: (user_id: number) =>
      database
        .selectFrom('user_instructions')
        .select(['about_me', 'how_to_answer', 'is_on', 'with_keys'])
        .where('user_id', '=', user_id)
        .executeTakeFirst(),

    saveOwn: (user_id: number, given: OwnInstructions) =>
      database
        .insertInto('user_instructions')
        .values({ user_id, ...given })
        .onConflict(conflict => conflict.column('user_id').doUpdateSet(given))
        .execute(),

    ofConversation,
    saveOfConversation,

    /** A conversation that goes on from another one is told the same. */
    async copy(from: string, to: string): Promise<void> {
      const before = await ofConversation(from)
      if (before !== undefined) await saveOfConversation(to, before)
    },
  }
}
