import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { isRecord, parseJson } from '../../foundation/http.ts'
import { openAccount, type WebAccount, type FileIds, type WebFile } from './account.ts'
import type { WebConversation } from './conversation.ts'
import { type CallName, openWebFaults, type WebFault } from './faults.ts'

/** The token that tests use when none is set. */
export const WEB_TOKEN = 'web-access-token'

/** The state of the web protocol, for tests: what each account has. */
export type Web = {
  /** The state of one token, and of one team of it; made when it is first asked for. */
  account: (token?: string, account_id?: string | null) => WebAccount
  accounts: () => readonly WebAccount[]
  /** A file of any account. */
  fileOf: (id: string) => WebFile | undefined
  /** The next `times` of these calls, of any account, get this fault; Infinity: all until `clearFaults`. */
  nextFault: (call: CallName, fault: WebFault, times?: number) => void
  clearFaults: () => void
  /** How answers are sent, unless a question says so. */
  transport: 'events' | 'websocket'
  /** Whether messages come whole again and again, or as changes. */
  encoding: 'whole' | 'delta'
  /** The form of the ids of files that are uploaded. */
  file_ids: FileIds
}

/** The same, with what only the simulator itself uses. */
export type WebState = Web & {
  /** To be called after a change to what the state file keeps. */
  changed: () => void
  takeFault: (call: CallName) => WebFault | undefined
  /** Base URL of the storage host, with its slash. */
  storageUrl: () => string
  socketUrl: (path: string) => string
  sockets: WebSockets
}

/** Accounts (tokens and their teams) that are kept at most. */
const MAX_ACCOUNTS = 200

export function openWeb(web_token: string | undefined, urls: Pick<WebState, 'storageUrl' | 'socketUrl'>): WebState {
  const accounts = new Map<string, WebAccount>()
  const faults = openWebFaults()
  return {
    account(token = web_token ?? WEB_TOKEN, account_id = null) {
      const key = JSON.stringify([token, account_id])
      const known = accounts.get(key)
      if (known) return known
      const [oldest] = accounts.keys()
      if (accounts.size >= MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest)
      const account = openAccount(token, account_id)
      accounts.set(key, account)
      return account
    },
    accounts: () => [...accounts.values()],
    fileOf: id => [...accounts.values()].find(({ files }) => files.has(id))?.files.get(id),
    nextFault: faults.add,
    clearFaults: faults.clear,
    takeFault: faults.take,
    transport: 'events',
    encoding: 'whole',
    file_ids: 'hyphen',
    changed: () => {},
    sockets: openWebSockets(),
    ...urls,
  }
}

const PROTOCOL = 'json.reliable.webpubsub.azure.v1'
const PATH = '/web-socket/'
/** Milliseconds until a WebSocket that nobody opens is forgotten. */
const OPEN_WITHIN = 60_000
const MAX_TICKETS = 1_000

type Ticket = { opened: (socket: WebSocket) => void; timer: NodeJS.Timeout }

type WebSockets = ReturnType<typeof openWebSockets>

/** WebSockets over which answers are sent: each has an address of its own that is opened once. */
function openWebSockets() {
  const tickets = new Map<string, Ticket>()
  const sockets = new Set<WebSocket>()

  return {
    /** Returns the path of a new WebSocket. Calls `opened` when a client opens it in time, else `expired`. */
    expect(opened: (socket: WebSocket) => void, expired: () => void): string {
      const path = `${PATH}${randomUUID()}`
      const timer = setTimeout(() => {
        tickets.delete(path)
        expired()
      }, OPEN_WITHIN)
      timer.unref()
      tickets.set(path, { opened, timer })
      const [oldest] = tickets.keys()
      if (tickets.size > MAX_TICKETS && oldest !== undefined) tickets.delete(oldest)
      return path
    },

    /** For the server's `upgrade` event. */
    upgrade(request: IncomingMessage, connection: Duplex, head: Buffer) {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const ticket = tickets.get(path)
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim())
      if (!ticket || !offered.includes(PROTOCOL))
        return void connection.end(`HTTP/1.1 ${ticket ? 400 : 404} Refused\r\nConnection: close\r\n\r\n`)
      tickets.delete(path)
      clearTimeout(ticket.timer)
      const server = new WebSocketServer({ noServer: true, handleProtocols: () => PROTOCOL })
      server.handleUpgrade(request, connection, head, socket => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        socket.on('error', () => socket.terminate())
        ticket.opened(socket)
      })
    },

    stop() {
      for (const { timer } of tickets.values()) clearTimeout(timer)
      for (const socket of sockets) socket.terminate()
    },
  }
}

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
 * Keeps conversations, files and plugins of the accounts in a file, so that a demonstration still has them after a
 * restart. A file that cannot be read or written is ignored.
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
