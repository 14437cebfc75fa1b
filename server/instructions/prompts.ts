import { MAX_PROMPTS, type NewPrompt, type Prompt, type PromptChange } from '#contract/prompts.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Clock, wallTimeOf } from '#server/foundation/clock.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { userStore } from '#server/users/store.ts'
import { type PromptRow, promptStore } from './promptStore.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

/** Whose prompts are meant: superusers look after the shared ones. */
type Reader = { id: number; is_superuser: boolean }

export type Prompts = ReturnType<typeof openPrompts>

/** Prompts that are kept to be asked again. */
export function openPrompts({ open, clock, configuration }: Dependencies) {
  const month = (): string => wallTimeOf(clock.now(), configuration().portal.time_zone).slice(0, 'yyyy-mm'.length)

  /** One's own; a shared one for superusers alone. Anybody else's is not found. */
  async function requireChangeable({ id, is_superuser }: Reader, prompt_id: number): Promise<PromptRow> {
    const row = await promptStore(open.database).find(prompt_id)
    if (row === undefined || (row.user_id !== null && row.user_id !== id)) throw new Refusal('promptNotFound')
    if (row.user_id === null && !is_superuser) throw new Refusal('authorityDeny')
    return row
  }

  return {
    async list({ id, is_superuser }: Reader): Promise<Prompt[]> {
      const store = promptStore(open.database)
      const [rows, uses] = await Promise.all([store.listFor(id), is_superuser ? store.usesIn(month()) : []])
      const used = new Map(uses.map(({ prompt_id, ...counts }) => [prompt_id, counts]))
      return rows
        .filter(row => row.is_active || row.user_id !== null || is_superuser)
        .map(row => ({
          ...toPrompt(row),
          ...(is_superuser && row.user_id === null && { uses: used.get(row.id) ?? { count: 0, people: 0 } }),
        }))
    },

    async create(reader: Reader, { is_shared, text, ...given }: NewPrompt): Promise<Prompt> {
      if (is_shared && !reader.is_superuser) throw new Refusal('authorityDeny')
      const user_id = is_shared ? null : reader.id
      return open.transaction(async trx => {
        const store = promptStore(trx)
        // Counted while nobody else of the same person's adds one.
        await userStore(trx).lock(reader.id, open.engine)
        if ((await store.count(user_id)) >= MAX_PROMPTS) throw new Refusal('tooManyPrompts', { most: MAX_PROMPTS })
        const row = { ...given, user_id, prompt_text: text, update_time: clock.now() }
        const prompt = { ...row, id: await store.insert(row) }
        await auditShared(trx, 'prompt.created', prompt)
        return toPrompt(prompt)
      })
    },

    async update(reader: Reader, prompt_id: number, { text, ...change }: PromptChange): Promise<Prompt> {
      const before = await requireChangeable(reader, prompt_id)
      const changes = { ...change, ...(text !== undefined && { prompt_text: text }), update_time: clock.now() }
      await open.transaction(async trx => {
        await promptStore(trx).change(prompt_id, changes)
        await auditShared(trx, 'prompt.changed', before)
      })
      return toPrompt({ ...before, ...changes })
    },

    async remove(reader: Reader, prompt_id: number): Promise<void> {
      const row = await requireChangeable(reader, prompt_id)
      await open.transaction(async trx => {
        await promptStore(trx).remove(prompt_id)
        await auditShared(trx, 'prompt.deleted', row)
      })
    },

    /** Counts that a shared prompt was asked. */
    async noteUse({ id }: Reader, prompt_id: number): Promise<void> {
      const row = await promptStore(open.database).find(prompt_id)
      if (row === undefined || (row.user_id !== null && row.user_id !== id)) throw new Refusal('promptNotFound')
      if (row.user_id === null) await promptStore(open.database).noteUse({ prompt_id, user_id: id, month: month() })
    },
  }
}

/** Of those that everybody has. Never their texts, which are questions. */
async function auditShared(
  trx: Transaction,
  action: 'prompt.created' | 'prompt.changed' | 'prompt.deleted',
  { id, user_id, name }: Pick<PromptRow, 'id' | 'user_id' | 'name'>,
): Promise<void> {
  if (user_id === null) await recordAudit(trx, { action, subject: { kind: 'prompt', id, name } })
}

const toPrompt = ({ user_id, prompt_text: text, update_time, ...row }: PromptRow): Prompt => ({
  ...row,
  text,
  is_shared: user_id === null,
  update_time: new Date(update_time).toISOString(),
})
