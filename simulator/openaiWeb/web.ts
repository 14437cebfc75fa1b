import { createAccount, type WebAccount } from './account.ts'
import { type CallName, createWebFaults, type WebFault } from './faults.ts'
import type { FileIds, WebFile } from './files/file.ts'
import { createWebSockets, type WebSockets } from './webSockets.ts'

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

export function createWeb(web_token: string | undefined, urls: Pick<WebState, 'storageUrl' | 'socketUrl'>): WebState {
  const accounts = new Map<string, WebAccount>()
  const faults = createWebFaults()
  return {
    account(token = web_token ?? WEB_TOKEN, account_id = null) {
      const key = JSON.stringify([token, account_id])
      const known = accounts.get(key)
      if (known) return known
      const [oldest] = accounts.keys()
      if (accounts.size >= MAX_ACCOUNTS && oldest !== undefined) accounts.delete(oldest)
      const account = createAccount(token, account_id)
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
    sockets: createWebSockets(),
    ...urls,
  }
}
