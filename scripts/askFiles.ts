import { mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import type { AskRequest } from '#contract/asking.ts'
import { SERVER_FLOORS } from '../architecture/floors.ts'
import { openApp } from '#server/app.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { type Person, question, signIn } from '#testing/person.ts'

// Prints the files of the server that an ask of openai_api executes, from the highest floor down, and their number:
// those of which a function is called between the frame that asks and the end of the answer, in a process that has
// answered before. It is a further question of a conversation, and its answer takes about a second, so that it is
// written down as it grows. node scripts/node.mjs scripts/askFiles.ts

const PASSWORD = 'correct-horse-7'
const WARM_UP = 5
/** What any of these asks executes counts, timers too. */
const MEASURED = 3
const QUESTION = '/simulate tokens=40'
const TOKENS_PER_SECOND = 50

const root = fileURLToPath(new URL('..', import.meta.url))

type Position = Pick<AskRequest, 'new_conversation' | 'conversation_id' | 'parent'>

type Asked = { next: Position; files: Set<string> }

/**
 * Asks, and gives the files that were called meanwhile, with the position of the question that comes after the answer.
 */
async function ask(person: Person, position: Position, session: Session): Promise<Asked> {
  const chat = await person.silent()
  const accepted = chat.until(({ type }) => type === 'accepted')
  await calledFiles(session)
  chat.send(question(QUESTION, position))
  await chat.until(({ type }) => type === 'finished')
  const files = await calledFiles(session)
  const conversation_id = String((await accepted)['conversation_id'])
  const { current_node } = await person.result<{ current_node: string }>('GET', `/conv/${conversation_id}`)
  return { files, next: { new_conversation: false, conversation_id, parent: current_node } }
}

/** The files of the server of which a function was called since this was asked for last. */
async function calledFiles(session: Session): Promise<Set<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = result.filter(({ url, functions }) => {
    const isOurs = url.startsWith('file://') && relative(root, fileURLToPath(url)).startsWith('server/')
    return isOurs && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
  })
  return new Set(called.map(({ url }) => relative(root, fileURLToPath(url))))
}

async function measure(person: Person): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const measured = new Set<string>()
  let position: Position = { new_conversation: true }
  for (let at = 0; at < WARM_UP + MEASURED; at++) {
    const { files, next } = await ask(person, position, session)
    position = next
    if (at >= WARM_UP) for (const file of files) measured.add(file)
  }
  session.disconnect()
  return [...measured]
}

/** From what receives the ask down to what everything stands on. */
function inOrder(files: readonly string[]): string[] {
  const floorOf = (file: string): number =>
    Math.max(...SERVER_FLOORS.map((folders, at) => (folders.some(folder => file.startsWith(`${folder}/`)) ? at : -1)))
  return files.toSorted((a, b) => floorOf(b) - floorOf(a) || a.localeCompare(b))
}

const data_dir = await mkdtemp(join(tmpdir(), 'commons-ask-'))
const simulator = await startSimulator({ tokens_per_second: TOKENS_PER_SECOND })
const env = {
  COMMONS_DATA_DATA_DIR: data_dir,
  COMMONS_COMMON_INITIAL_ADMIN_USER_PASSWORD: PASSWORD,
  HOST: '127.0.0.1',
  PORT: '0',
  OPENAI_BASE_URL: simulator.url,
  OPENAI_API_KEY: 'key',
}
const app = await openApp({
  start: readStartConfiguration(env),
  env,
  log: pino({ level: 'silent' }),
  demonstrationUrls: { openai_api: simulator.url, openai_web: simulator.webUrl },
  page_dir: join(data_dir, 'no-page'),
})
try {
  const { address } = await app.listen()
  const admin = await signIn(address, 'admin', PASSWORD)
  const files = inOrder(await measure(admin))
  process.stdout.write(`${files.join('\n')}\n${files.length} files of the server\n`)
} finally {
  await app.close(0)
  await simulator.close()
  await rm(data_dir, { recursive: true, force: true })
}
