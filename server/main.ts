import { join } from 'node:path'
import { startSimulator } from '#simulator/simulator.ts'
import { readStartConfiguration } from '#server/configuration/start.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import { DatabaseUnusable } from '#server/foundation/databaseErrors.ts'
import { openLogFile } from '#server/foundation/logFile.ts'
import { type Log, openLogWithFile } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { openApp } from './app.ts'
import { wordsOf } from './commands/refusalWords.ts'
import { VERSION } from './version.ts'

/** What the person at the terminal reads. Everything else is a line of the log. */
function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function main(): Promise<void> {
  const start = readStartConfiguration(process.env)
  for (const warning of start.warnings) process.stderr.write(`Warning: ${warning}\n`)
  const { data_dir } = start.configuration.data
  const logFile = openLogFile({ data_dir, version: VERSION, onFailure: error => reportNoLogFile(log, error) })
  const log = openLogWithFile(start.configuration.log.console_log_level, logFile)
  // Always running, on loopback only: it answers while no real upstream is connected, also after an administrator
  // removes one.
  const simulator = await startSimulator({ control: false, state_file: join(data_dir, 'demonstration.json') })
  const demonstrationUrls = { openai_api: simulator.url, openai_web: simulator.webUrl }
  const app = await openApp({ start, env: process.env, log, log_name: logFile.name, demonstrationUrls })
  logFile.open()
  const { address, admin } = await app.listen().catch(invalidPasswordRefusal)
  // Before the line that says it listens, so that whoever reads that can sign in.
  if (admin !== null) say(`User name: ${admin.username}`)
  if (admin !== null && admin.password !== null)
    say(`Password:  ${admin.password}   (shown only now; change it after signing in)`)
  stopWith(
    async () => {
      await app.close()
      await simulator.close()
    },
    error => log.fatal({ err: error }, 'the program could not be stopped cleanly'),
  )

  say(`Chat Commons listens at ${start.configuration.portal.public_origin ?? address}`)
  if (app.services.upstreams.isDemonstration()) {
    say(
      'Demonstration: the built-in simulator answers. Set OPENAI_API_KEY, or OPENAI_BASE_URL for any compatible endpoint, and start again.',
    )
  }
  process.send?.({ address })
}

/** The portal goes on without: its lines are on standard output. */
function reportNoLogFile(log: Log, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  log.warn({ reason }, 'the log file cannot be written; until it can be, lines go to standard output only')
}

/** Of the account nothing but its password can be refused: its name has been read with the configuration. */
function invalidPasswordRefusal(cause: unknown): never {
  throw cause instanceof Refusal
    ? new ConfigurationError(`common.initial_admin_user_password: ${wordsOf(cause)}`)
    : cause
}

/**
 * Milliseconds. A service manager signals every process of a group, and the script that started this one passes the
 * signal on as well.
 */
const SAME_REQUEST = 1_000

/** The first signal stops in order, a second request at once. */
function stopWith(close: () => Promise<void>, onFailure: (error: unknown) => void): void {
  let first: { signal: NodeJS.Signals; time: number } | null = null
  const stop = (signal: NodeJS.Signals) => {
    if (first !== null) {
      if (signal === first.signal && performance.now() - first.time < SAME_REQUEST) return
      process.exit(1)
    }
    first = { signal, time: performance.now() }
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        onFailure(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** What a person can do something about is one line; anything else is ours to find. */
function reasonOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof DatabaseUnusable) return error.message
  if (error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo')) {
    return `${error.message}. Choose another address or port by HOST and PORT`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch((error: unknown) => {
  process.stderr.write(`Chat Commons could not start: ${reasonOf(error)}\n`)
  process.exit(1)
})
