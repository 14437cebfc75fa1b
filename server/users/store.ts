import type { Insertable, Updateable } from 'kysely'
import { foldedAnywhere } from '#contract/searchWords.ts'
import type { Database, Tables } from '#server/foundation/database/open.ts'
import { prepared } from '#server/foundation/database/schema/prepared.ts'
import { type Engine, forUpdate, type RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { membersChanged } from '#server/policy/members.ts'
import type { NamedUser } from '#contract/jobs.ts'

/** In place of a hash: no password is right. */
export const NO_PASSWORD = '!'

export type UserRow = RowOf<typeof tables.users>

/** Ids of one statement, below the limit of parameters of either database. */
const AT_ONCE = 1_000

/** Subquery: everybody. */
export const allUsers = (database: Database) => database.selectFrom('users')

const SEARCHED = ['nickname', 'username', 'email', 'remark'] as const
/** What administrators search people by, in the order in which it is shown. */
const searchText = (fields: Pick<UserRow, 'nickname' | 'username' | 'email' | 'remark'>): string =>
  foldedAnywhere([fields.nickname, fields.username, fields.email, fields.remark ?? ''].join('\n'))

/** Subquery: what may be shown of people to others. */
export const nicknames = (database: Database) => database.selectFrom('users').select(['id', 'nickname'])

/** Subquery: people of whom nothing may be removed. */
export const heldUsers = (database: Database) =>
  database.selectFrom('users').select('id').where('hold_time', 'is not', null)

/** Those of these people, or of all. */
export async function heldAmong(database: Database, ids: readonly number[] | null): Promise<ReadonlySet<number>> {
  if (ids?.length === 0) return new Set()
  const rows = await (ids === null ? heldUsers(database) : heldUsers(database).where('id', 'in', ids)).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Refuses to remove anything of these people while one of them is to be kept whole. */
export async function requireNotHeld(database: Database, ids: readonly (number | null)[]): Promise<void> {
  const people = ids.filter(id => id !== null)
  if (people.length === 0) return
  const held = await heldUsers(database).where('id', 'in', people).limit(1).executeTakeFirst()
  if (held !== undefined) throw new Refusal('userOnHold')
}

/** The ids among these that have an account. */
export async function existingAmong(database: Database, ids: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const rows = await database.selectFrom('users').select('id').where('id', 'in', some).execute()
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

/** Who among these may use the portal now. */
export async function activeAmong(database: Database, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const active = allUsers(database).select('id').where('is_active', '=', true).where('id', 'in', ids)
  return (await active.execute()).map(({ id }) => id)
}

/** What may be shown to others of those who may use the portal, by name. */
export const activeNicknames = (database: Database, limit: number) =>
  nicknames(database).where('is_active', '=', true).orderBy('nickname').orderBy('id').limit(limit).execute()

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * How many people there are, and how many of them were active lately: superusers as well. Activity is stored once a
 * minute.
 */
export function countUsers(database: Database, now: number) {
  return database
    .selectFrom('users')
    .select(({ fn, eb }) => {
      const activeFor = (span: number) => fn.countAll<number>().filterWhere(eb('last_active_time', '>', now - span))
      return [
        fn.countAll<number>().as('all'),
        activeFor(5 * MINUTE).as('in_5m'),
        activeFor(HOUR).as('in_1h'),
        activeFor(24 * HOUR).as('in_1d'),
      ]
    })
    .executeTakeFirstOrThrow()
}

const lock = prepared((database, { id }: { id: number }) =>
  database.selectFrom('users').select('id').where('id', '=', id).forUpdate(),
)

/** Queries and nothing else. Takes a transaction as well as the database. */
export function userStore(database: Database) {
  const activeSuperusers = database.selectFrom('users').where('is_superuser', '=', true).where('is_active', '=', true)
  return {
    /**
     * Locks the person's row until the end of the transaction: whatever is checked against what the person has takes
     * this lock first. SQLite runs one writing transaction at a time, and needs no lock.
     */
    lock: async (id: number, engine: Engine) => {
      if (engine === 'postgresql') await lock.run(database, { id })
    },

    find: (id: number) => database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
    findExactly: (username: string) =>
      database.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst(),
    nicknameOf: (id: number) => nicknames(database).where('id', '=', id).executeTakeFirst(),
    nicknamesOf: async (ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
      if (ids.length === 0) return new Map()
      const rows = await nicknames(database).where('id', 'in', ids).execute()
      return new Map(rows.map(({ id, nickname }) => [id, nickname]))
    },
    /** Those whose erasure began before this time and has not come to its end. */
    erasingSince: (time: number) =>
      database.selectFrom('users').select('id').where('erase_time', '<', time).orderBy('id').execute(),
    list: () => database.selectFrom('users').selectAll().orderBy('id').execute(),
    emails: () => database.selectFrom('users').select(['id', 'email']).execute(),
    names: () => database.selectFrom('users').select(['id', 'username']).execute(),
    any: () => database.selectFrom('users').select('id').limit(1).executeTakeFirst(),
    /** One who can come in whatever becomes of a provider: with a password. */
    anyActiveSuperuser: (besides = 0) =>
      activeSuperusers
        .where('password_hash', '!=', NO_PASSWORD)
        .select('id')
        .where('id', '!=', besides)
        .limit(1)
        .executeTakeFirst(),

    /** Whether somebody may use the portal now, and whether they look after it. */
    isActive: async (id: number) =>
      (await allUsers(database).select('id').where('id', '=', id).where('is_active', '=', true).executeTakeFirst()) !==
      undefined,
    isActiveSuperuser: async (id: number) =>
      (await activeSuperusers.select('id').where('id', '=', id).executeTakeFirst()) !== undefined,

    activeSuperusers: () => activeSuperusers.select('id').orderBy('id').execute(),
    activeSuperuserNames: () => activeSuperusers.select('username').orderBy('id').execute(),

    /**
     * The lock that serialises changes of accounts: whatever makes, renames or removes one takes it first. There always
     * is such a row, once there is an account.
     */
    lockActiveSuperusers: (engine: Engine) =>
      activeSuperusers.select('id').orderBy('id').$call(forUpdate(engine)).execute(),

    insert: async (user: Omit<Insertable<Tables['users']>, 'search_text'>) => {
      const search_text = searchText({ ...user, remark: user.remark ?? null })
      const row = { ...user, search_text }
      return (await database.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
    },
    /** In a transaction. Fields that are undefined are left as they are. */
    async change(id: number, fields: Omit<Updateable<Tables['users']>, 'search_text'>): Promise<void> {
      if (Object.values(fields).every(value => value === undefined)) return
      const changed = database.updateTable('users').set(fields).where('id', '=', id)
      const row = await changed.returning(['nickname', 'username', 'email', 'remark']).executeTakeFirst()
      if (row !== undefined && fields.is_active !== undefined) await membersChanged(database)
      if (row === undefined || !SEARCHED.some(field => fields[field] !== undefined)) return
      // The row is locked by now: what is read is what stays.
      await database
        .updateTable('users')
        .set({ search_text: searchText(row) })
        .where('id', '=', id)
        .execute()
    },
    /** Does nothing when the password has changed meanwhile. */
    replaceHash: (id: number, hashed: string, password_hash: string) =>
      database
        .updateTable('users')
        .set({ password_hash })
        .where('id', '=', id)
        .where('password_hash', '=', hashed)
        .execute(),
    /** When anybody was active last; null when nobody ever was. */
    latestActivity: () =>
      database
        .selectFrom('users')
        .select(({ fn }) => fn.max('last_active_time').as('latest'))
        .executeTakeFirst()
        .then(row => row?.latest ?? null),

    /** How many people were active since then. Superusers run the portal and are not counted. */
    countActiveSince: (since: number) =>
      database
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('is_superuser', '=', false)
        .where('last_active_time', '>', since)
        .executeTakeFirstOrThrow()
        .then(row => row.count),

    /** In a transaction. */
    async remove(id: number): Promise<void> {
      await database.deleteFrom('users').where('id', '=', id).execute()
      await membersChanged(database)
    },
  }
}

/** Subquery: people as the admin area names them. */
export const userNames = (database: Database) => database.selectFrom('users').select(['id', 'username', 'nickname'])

/** The names of these people by id; without those who have no account any more. */
export async function namesOf(
  database: Database,
  user_ids: Iterable<number | null>,
): Promise<(user_id: number | null) => NamedUser | null> {
  const ids = [...new Set(user_ids)].filter(id => id !== null)
  const found = ids.length === 0 ? [] : await userNames(database).where('id', 'in', ids).execute()
  const names = new Map(found.map(person => [person.id, person]))
  return user_id => (user_id === null ? null : (names.get(user_id) ?? null))
}
