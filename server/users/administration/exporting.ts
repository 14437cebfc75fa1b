import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedFile } from '#contract/transfer.ts'
import { auditExport } from '#server/users/auditing.ts'
import type { Users } from '#server/users/users.ts'
import { sessionStore } from '#server/users/sessionStore.ts'
import { userAskStore } from '#server/asks/store.ts'
import { toHistory, toMessage, sourceOf } from '#server/conversations/history.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { userConversationStore } from '#server/conversations/transferStore.ts'
import type { ConversationRow } from '#server/conversations/store.ts'
import { keptFileStore } from '#server/files/keptStore.ts'
import { fileStore } from '#server/files/store.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { instructionStore } from '#server/instructions/instructions.ts'
import { promptStore } from '#server/instructions/promptStore.ts'
import { isMissing } from '#server/foundation/fileSystem.ts'
import { planStore } from '#server/policy/planStore.ts'
import { ledgerStore } from '#server/usage/ledger.ts'
import { requestStore } from '#server/usage/requestStore.ts'
import { usageLedgerStore } from '#server/usage/usageLedger.ts'

type Dependencies = {
  open: OpenDatabase
  users: Users
  data_dir: string
  now: number
  /** The keys of a person by which other tools ask, without their secrets. */
  keysOf(user_id: number): Promise<readonly object[]>
}

/** Counts of what the export holds. */
export type Exported = { conversations: number; files: number; missing_files: number; asks: number }

/** Rows of one query. */
const AT_ONCE = 500
/** Only the operator may read it. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Whether the folder does not exist or is empty. */
export async function isFree(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return names.length === 0
}

/**
 * Writes everything that is stored of a person into a new folder: account, settings and plan, preferences,
 * instructions, prompts, sessions, keys, ledgers, requests for more, log of asks, each conversation in the form that
 * the portal imports, and files. No password, token or secret of a key is in it.
 */
export async function writeUserExport(username: string, folder: string, dependencies: Dependencies): Promise<Exported> {
  const { open, users, now } = dependencies
  const { database } = open
  const user = await users.readNamed(username)
  await open.transaction(trx => auditExport(trx, user))
  await mkdir(join(folder, 'conversations'), { recursive: true, mode: FOLDER_MODE })
  await mkdir(join(folder, 'files'), { recursive: true, mode: FOLDER_MODE })
  const write = (name: string, content: unknown) =>
    writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { mode: FILE_MODE, flag: 'wx' })
  await write('account.json', user)
  await write('policy.json', (await planStore(database).of(user.id)) ?? null)
  await write('preferences.json', await users.preferences.read(user.id))
  await write('instructions.json', (await instructionStore(database).ownOf(user.id)) ?? null)
  await write('prompts.json', (await promptStore(database).listOwn(user.id)).map(withTimes([])))
  const sessions = await sessionStore(database).listOf(user.id, now)
  await write('sessions.json', sessions.map(withTimes(['token_hash'])))
  await write('keys.json', (await dependencies.keysOf(user.id)).map(withTimes(['user_id'])))
  const ledger = await ledgerStore(database).page(
    { user_id: user.id, source: null },
    { limit: Number.MAX_SAFE_INTEGER, offset: 0 },
  )
  await write('ledger.json', ledger.map(withTimes([])))
  await write('usage.json', (await usageLedgerStore(database).listOf(user.id)).map(withTimes([])))
  await write('usage-requests.json', (await requestStore(database).listOf(user.id)).map(withTimes(['decided_by'])))
  const asks = await everyAfter((id, limit) => userAskStore(database).logAfter(user.id, id, limit))
  await write('asks.json', asks.map(withTimes([])))
  const conversations = await writeConversations(user.id, dependencies, write)
  return { conversations, asks: asks.length, ...(await copyFiles(user.id, folder, dependencies, write)) }
}

type Write = (name: string, content: unknown) => Promise<void>

async function writeConversations(user_id: number, { open, now }: Dependencies, write: Write): Promise<number> {
  const store = userConversationStore(open.database)
  let count = 0
  for (let last = 0; ;) {
    const rows = await store.conversationsAfter(user_id, last, AT_ONCE)
    for (const row of rows)
      await write(`conversations/${row.conversation_id}.json`, await conversationOf(row, open, now))
    count += rows.length
    if (rows.length < AT_ONCE) return count
    last = rows.at(-1)?.id ?? last
  }
}

/** Includes what its owner deleted or withdrew, which is shown nowhere else. */
async function conversationOf(row: ConversationRow, { database }: OpenDatabase, now: number) {
  const messages = await messageStore(database).listOf(row.conversation_id)
  const withdrawn = await userConversationStore(database).withdrawnOf(row.conversation_id)
  const file: ExportedFile = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exported_at: timeText(now),
    conversations: [toHistory(row, messages, undefined)],
  }
  const instructions = (await instructionStore(database).ofConversation(row.conversation_id)) ?? null
  const withdrawnMessages = withdrawn.map(each => toMessage(each, sourceOf(row)))
  return { ...file, is_valid: row.is_valid, instructions, withdrawn: withdrawnMessages }
}

/** Columns of files that say where they are. */
const OF_SERVER = ['upload_url', 'download_url', 'storage_path', 'thumbnail_path']

async function copyFiles(
  user_id: number,
  folder: string,
  { open, data_dir }: Dependencies,
  write: Write,
): Promise<Pick<Exported, 'files' | 'missing_files'>> {
  const rows = await fileStore(open.database).allOf(user_id)
  let missing_files = 0
  const copy = (storage_path: string, name: string): Promise<void> =>
    copyFile(join(data_dir, storage_path), join(folder, 'files', name)).catch((error: unknown) => {
      if (!isMissing(error)) throw error
      missing_files += 1
    })
  const kept = keptFileStore(open.database)
  for (const { file_id, original_filename, storage_path } of rows) {
    if (storage_path === null) continue // it is with the web service, or gone
    await copy(storage_path, `${file_id}${endOf(original_filename)}`)
    const text = await kept.textOf(file_id)
    if (text !== null) await writeFile(join(folder, 'files', `${file_id}.text.txt`), text, { mode: FILE_MODE })
    for (const page of await kept.pagesOf([file_id]))
      await copy(page.storage_path, `${file_id}.page-${page.page_number}${endOf(page.content_type.replace('/', '.'))}`)
  }
  await write('files.json', rows.map(withTimes([...OF_SERVER, 'uploader_id'])))
  return { files: rows.length, missing_files }
}

async function everyAfter<T extends { id: number }>(read: (id: number, limit: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const rows = await read(all.at(-1)?.id ?? 0, AT_ONCE)
    all.push(...rows)
    if (rows.length < AT_ONCE) return all
  }
}

/** A row as it is exported: without these columns, and with times in ISO 8601. */
const withTimes = (left_out: readonly string[]) => (row: object) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !left_out.includes(name))
      .map(([name, value]: [string, unknown]) => [name, isMoment(name, value) ? timeText(value) : value]),
  )

/** Tells epoch milliseconds from durations, which are much smaller. */
const isMoment = (name: string, value: unknown): value is number =>
  name.endsWith('_time') && typeof value === 'number' && value > 1e11

/** An extension that every file system accepts; the whole name is in files.json. */
const endOf = (name: string): string => (/^\.[A-Za-z\d]{1,10}$/.test(extname(name)) ? extname(name) : '')

const timeText = (time: number) => new Date(time).toISOString()
