import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type * as z from 'zod/mini'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { UploadedFile } from '#contract/files.ts'
import { OwnFile } from '#contract/ownFiles.ts'
import type { FileAccounts, FileConversations } from '#server/sources/openai_web/files/accounts.ts'
import { openWebFiles } from '#server/sources/openai_web/files/files.ts'
import { webFileRoutes } from '#server/sources/openai_web/routes.ts'
import { openaiApi } from '#server/sources/openai_api/source.ts'
import { openaiWeb } from '#server/sources/openai_web/source.ts'
import { UNLIMITED_VALUES } from '#server/policy/plans.ts'
import { settingStore } from '#server/policy/store.ts'
import { openFiles } from '#server/files/files.ts'
import { openUploadLimit } from '#server/files/uploadLimit.ts'
import { fileRoutes } from '#server/files/routes.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { emptyFolder } from './dataFolder.ts'
import { anEdge, SESSIONS } from './edge.ts'
import { storedUser } from './rows.ts'
import { SOME_TIME } from './servedUsers.ts'

type Settings = z.input<typeof Configuration>
/** Of a form: texts, and files. */
type Parts = Record<string, string | { content: BlobPart; name?: string }>

const NO_CONVERSATIONS: FileConversations = {
  accountOf: async () => null,
  naming: async () => null,
}

/** The files of a portal alone, over real HTTP, for the users of the edge: ann, ben and the superuser sue. */
export async function servedFiles(
  open: OpenDatabase,
  {
    web = aWebService().web,
    settings = {},
    conversations = {},
  }: { web?: FileAccounts; settings?: Settings; conversations?: Partial<FileConversations> } = {},
) {
  const { database } = open
  for (const [username, { id, is_superuser }] of Object.entries(SESSIONS)) {
    await storedUser(database, { id, username, is_superuser })
    await settingStore(database).insert(id, UNLIMITED_VALUES, SOME_TIME)
  }
  const data_dir = await emptyFolder()
  const clock = { time: SOME_TIME, now: () => clock.time, monotonic: () => clock.time }
  const state = { configuration: Configuration.parse(settings) }
  const shared = {
    ...{ open, clock, data_dir, limitUploads: openUploadLimit() },
    mayReadOf: () => Promise.resolve(),
    configuration: () => state.configuration,
  }
  const atWeb = openWebFiles({
    ...shared,
    bus: await openBus({ ...open, url: undefined }),
    web,
    conversations: { ...NO_CONVERSATIONS, ...conversations },
  })
  const sources = { all: [openaiApi, { ...openaiWeb, files: atWeb.ports }] }
  const files = openFiles({ ...shared, sources, titlesOf: async () => new Map(), forgetText: async () => undefined })
  const edge = await anEdge({}, http => {
    fileRoutes(http, files)
    webFileRoutes(http, atWeb)
  })

  const upload = async (as: string, content: BlobPart, name = 'a.txt') => {
    const body = new FormData()
    body.set('file', new File([content], name))
    return (await edge.call('/api/files/local/upload', { method: 'POST', as, body })).envelope
  }
  const keep = async (as: string, parts: Parts) => {
    const body = new FormData()
    for (const [field, part] of Object.entries(parts))
      body.set(field, typeof part === 'string' ? part : new File([part.content], part.name ?? 'a.txt'))
    return (await edge.call('/api/files', { method: 'POST', as, body })).envelope
  }
  return {
    ...edge,
    database,
    clock,
    data_dir,
    upload,
    sweep: files.sweep,
    loadAttached: files.loadAttached,
    /** Sends a file with what its browser read in it; text parts are fields. */
    keep,
    /** The same, where it is taken. */
    kept: async (as: string, parts: Parts) => OwnFile.parse((await keep(as, parts)).result),
    configure: (changed: Settings) => {
      state.configuration = Configuration.parse(changed)
    },
    /** An upload that succeeds. */
    stored: async (as: string, content: BlobPart, name?: string) =>
      (await upload(as, content, name)).result as UploadedFile,
    download: (as: string, id: string) => edge.call(`/api/files/local/download/${id}`, { as }),
    post: async (as: string, path: string, json?: unknown) =>
      (await edge.call(`/api/files${path}`, { method: 'POST', as, json })).envelope,
    /** The files in the data folder. */
    onDisk: async () =>
      (await readdir(data_dir, { recursive: true, withFileTypes: true }))
        .filter(entry => entry.isFile())
        .map(entry => entry.name),
    rows: () => database.selectFrom('uploaded_files').selectAll().execute(),
  }
}
export type ServedFiles = Awaited<ReturnType<typeof servedFiles>>

/** A stand-in for the web service's files that keeps the requests and uploads it got. */
export function aWebService() {
  const requests: string[] = []
  const put = new Map<string, string>()
  let count = 0
  const web: FileAccounts = {
    choose: async () => ({ upstream_id: 1, source_id: null }),
    async begin(_account, { file_name, file_size, use_case }) {
      const file_id = `file-${++count}`
      requests.push(`begin ${file_id} ${file_name} ${file_size} ${use_case}`)
      return { file_id, upload_url: `https://storage.example/${file_id}` }
    },
    async put(_account, upload_url, { content, size, content_type }) {
      put.set(upload_url, `${content_type} ${size} ${await text(content)}`)
    },
    async complete(_account, file_id) {
      requests.push(`complete ${file_id}`)
      return { download_url: `https://storage.example/${file_id}?get` }
    },
    downloadUrl: async (_account, file_id) => `https://storage.example/${file_id}?fresh`,
    open: async (_account, address) => ({ content: Readable.from([Buffer.from(`at ${address}`)]), size: null }),
  }
  return { web, requests, put }
}
