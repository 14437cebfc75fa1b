import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type Arkose, answerArkose } from './arkose.ts'
import { answerControl } from './control.ts'
import { openFaults, type Fault } from './foundation/faults.ts'
import { sendJson } from './foundation/http.ts'
import { openJournal, type JournalEntry } from './foundation/journal.ts'
import { answerOpenaiApi } from './openaiApi/completions.ts'
import { answerOpenaiWeb } from './openaiWeb/routes.ts'
import { answerStorage } from './openaiWeb/storage.ts'
import { openStateFile, openWeb, type Web } from './openaiWeb/state/web.ts'
import { openPace } from './foundation/pace.ts'
import { openLater, keyCheck, type Upstream } from './foundation/upstream.ts'

// Not imported: an import evaluates every export, and for WebSocket Node loads a second HTTP client of 16 MB.
const { createServer } = process.getBuiltinModule('node:http')

export type { Fault } from './foundation/faults.ts'
export type { WebFault } from './openaiWeb/state/faults.ts'
export type { JournalEntry } from './foundation/journal.ts'

export type SimulatorOptions = {
  host?: string
  /** 0: any free port. */
  port?: number
  /** 0: as fast as the client reads. Default 30. */
  tokens_per_second?: number
  /** When set, any other bearer key gets 401. */
  key?: string
  /** The same for the web protocol; without it each token is an account of its own. */
  web_token?: string
  /** Port of the storage host of the web protocol. 0: any free port. */
  storage_port?: number
  /** Where the web protocol's state is kept over a restart; without it the state is in memory only. */
  state_file?: string
  first_token_ms?: number
  /** Whether /simulator/* is served on loopback. Default true. */
  control?: boolean
}

export type Simulator = {
  /** Base URL as a provider wants it, with its slash: http://127.0.0.1:PORT/v1/ */
  url: string
  /** Base URL of the web protocol: http://127.0.0.1:PORT/web/ */
  webUrl: string
  /** Base URL of the storage host of the web protocol: http://127.0.0.1:PORT/ */
  storageUrl: string
  port: number
  /** The state of the web protocol. */
  web: Web
  /** Base URL of an Arkose endpoint: http://127.0.0.1:PORT/arkose/v2/ */
  arkoseUrl: string
  arkose: Arkose
  /** The latest requests, oldest first; bounded. */
  journal: JournalEntry[]
  /** The next `times` questions get this fault; requests for a title never do. */
  nextFault: (fault: Fault, times?: number) => void
  /** The next question gets this text as its answer; requests for a title do not. */
  nextAnswer: (text: string) => void
  /** From now on answers to questions come with these headers: what the account says of its limits. */
  setHeaders: (headers: Readonly<Record<string, string>>) => void
  /** Tokens a second, for running streams as well. */
  setPace: (tokens_per_second: number) => void
  close: () => Promise<void>
  /**
   * Resolves with the first request, present or future, that fits; requests are checked again whenever one changes.
   * Rejects after 10 s.
   */
  waitFor: (predicate: (entry: JournalEntry) => boolean) => Promise<JournalEntry>
}

const DEFAULT_PACE = 30

/** Starts a stand-in for the upstream over real HTTP. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? '127.0.0.1'
  const journal = openJournal()
  const pace = openPace(options.tokens_per_second ?? DEFAULT_PACE)
  const faults = openFaults()
  const later = openLater()
  const answers: string[] = []
  const headers = new Map<string, string>()
  const upstream: Upstream = {
    journal,
    pace,
    faults,
    takeAnswer: () => answers.shift(),
    first_token_ms: options.first_token_ms ?? 0,
    headers,
    refusalOfKey: keyCheck(options.key),
    later: later.later,
  }
  const storage = createServer((request, response) => {
    answerStorage(request, response, { web, journal }).catch(() => response.destroy())
  })
  const web = openWeb(options.web_token, {
    storageUrl: () => originOf(storage, host),
    socketUrl: path => `${originOf(server, host).replace(/^http/, 'ws').slice(0, -1)}${path}`,
  })
  const arkose: Arkose = { fault: null, tokens: [] }
  const stateFile = options.state_file === undefined ? undefined : await openStateFile(options.state_file, web)
  if (stateFile) web.changed = stateFile.changed
  const control = {
    ...{ journal, pace, faults, web },
    addAnswer: (text: string) => void answers.push(text),
    setHeaders(given: Readonly<Record<string, string>>): void {
      headers.clear()
      for (const [name, value] of Object.entries(given)) headers.set(name, value)
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (path === '/health') return sendJson(response, 200, { status: 'ok' })
    if (path.startsWith('/simulator/') && options.control !== false)
      return answerControl(request, response, path, control)
    if (path.startsWith('/web/'))
      return answerOpenaiWeb(request, response, path, { web, web_token: options.web_token, upstream })
    if (path.startsWith('/arkose/')) return answerArkose(request, response, path, arkose)
    return answerOpenaiApi(request, response, path, upstream)
  }

  const server = createServer((request, response) => {
    // A client that leaves in the middle of its request must not end the process.
    answer(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request, connection, head) => {
    connection.on('error', () => connection.destroy())
    web.sockets.upgrade(request, connection, head)
  })
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  storage.listen(options.storage_port ?? 0, host)
  await once(storage, 'listening').catch(async (error: unknown) => {
    await end(server)
    throw error
  })
  const origin = originOf(server, host)

  return {
    url: `${origin}v1/`,
    webUrl: `${origin}web/`,
    storageUrl: originOf(storage, host),
    port: portOf(server),
    web,
    arkoseUrl: `${origin}arkose/v2/`,
    arkose,
    journal: journal.entries,
    nextFault: faults.add,
    nextAnswer: control.addAnswer,
    setHeaders: control.setHeaders,
    setPace: pace.set,
    waitFor: journal.waitFor,
    async close() {
      later.stop()
      pace.stop()
      web.sockets.stop()
      await Promise.all([end(server), end(storage)])
      await stateFile?.close()
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const originOf = (server: Server, host: string): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}/`

async function end(server: Server) {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
