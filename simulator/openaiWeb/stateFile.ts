import { readFile, rename, writeFile } from 'node:fs/promises'
import { isRecord, parseJson } from '../http.ts'
import type { WebConversation } from './conversation.ts'
import type { WebFile } from './files/file.ts'
import type { Web } from './web.ts'

/** Milliseconds from a change until it is saved together with those that follow it. */
const SAVE_AFTER = 2_000
/** Characters of conversations and bytes of files that are saved for each account, the newest first. */
const MAX_CHARACTERS = 8_000_000
const MAX_BYTES = 16_000_000

type StateFile = { changed: () => void; close: () => Promise<void> }

/** Functions are left out in JSON. */
type SavedFile = Omit<WebFile, 'content'> & { base64: string }
type SavedAccount = {
  token: string
  account_id: string | null
  installed: string[]
  conversations: WebConversation[]
  files: SavedFile[]
}

/**
 * Keeps conversations, files and plugins of the accounts in a file, so that a demonstration still has them after a restart. A file that
 * cannot be read or written is ignored.
 */
export async function openStateFile(path: string, web: Web): Promise<StateFile> {
  await restore(path, web)
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve()

  function save() {
    clearTimeout(timer)
    timer = undefined
    saving = saving.then(async () => {
      await writeFile(`${path}.new`, JSON.stringify(web.accounts().map(saved)), { mode: 0o600 })
      await rename(`${path}.new`, path)
    })
    saving = saving.catch(() => {})
    return saving
  }

  return {
    changed() {
      timer ??= setTimeout(() => void save(), SAVE_AFTER).unref()
    },
    close: () => (timer === undefined ? saving : save()),
  }
}

function saved({ token, account_id, installed, listed, files }: ReturnType<Web['account']>): SavedAccount {
  const fits = (limit: number) => {
    let sum = 0
    return (size: number) => (sum += size) <= limit
  }
  const [conversationFits, fileFits] = [fits(MAX_CHARACTERS), fits(MAX_BYTES)]
  return {
    token,
    account_id,
    installed: [...installed],
    conversations: listed().filter(({ characters }) => conversationFits(characters)),
    files: [...files.values()]
      .toReversed()
      .filter(({ size, state }) => state === 'complete' && fileFits(size))
      .map(file => ({ ...file, base64: Buffer.from(file.content()).toString('base64') })),
  }
}

async function restore(path: string, web: Web) {
  const text = await readFile(path, 'utf8').catch(() => '')
  const read = parseJson(text)
  if (!Array.isArray(read) || !read.every(isSaved)) return
  for (const { token, account_id, installed, conversations, files } of read) {
    const account = web.account(token, account_id)
    account.installed = new Set(installed)
    for (const conversation of conversations.toReversed()) account.addConversation(conversation)
    for (const { base64, ...file } of files.toReversed()) {
      const content = Buffer.from(base64, 'base64')
      account.addFile({ ...file, content: () => content, kept_bytes: content.length })
    }
  }
}

/** Only checks that the file is complete: it is our own. */
function isSaved(value: unknown): value is SavedAccount {
  return (
    isRecord(value) &&
    typeof value.token === 'string' &&
    [value.installed, value.conversations, value.files].every(list => Array.isArray(list))
  )
}
