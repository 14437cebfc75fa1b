import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { runAs } from '#server/foundation/actor.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import { DatabaseUnusable } from '#server/foundation/databaseErrors.ts'
import { masked } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { call } from './callCommand.ts'
import { backup } from './commands/backup.ts'
import { callOf, type CommandArguments, type Command, CommandFailure, EXIT, type Terminal } from './commands/command.ts'
import { createAdmin, createUser, resetPassword, eraseUser, exportUser, setLimits } from './commands/users.ts'
import { doctor } from './commands/doctor/doctor.ts'
import { migrate } from './commands/storage.ts'
import { restore } from './commands/restore.ts'
import { wordsOf } from './commands/refusalWords.ts'

const COMMANDS: Command[] = [
  createUser,
  createAdmin,
  setLimits,
  resetPassword,
  exportUser,
  eraseUser,
  call,
  migrate,
  backup,
  restore,
  doctor,
]

const HELP = ['help', '--help', '-h']

/** Runs one command, and gives the exit code: 0 when it is done, 1 when it failed, 2 when it was called wrongly. */
export async function runCommand([name = 'help', ...given]: string[], terminal: Terminal): Promise<number> {
  const [about] = given
  if (HELP.includes(name) && about !== undefined) return runCommand([about, '--help'], terminal)
  if (HELP.includes(name)) {
    help(terminal.say)
    return EXIT.good
  }
  const command = COMMANDS.find(each => each.name === name)
  if (command && given.some(word => ['--help', '-h'].includes(word))) {
    terminal.say(callOf(command))
    terminal.say(command.summary)
    return EXIT.good
  }
  const asked = command && understood(command, given)
  if (!command || !asked) {
    terminal.complain(
      command ? `Usage: ${callOf(command)}` : `There is no command ${name}. "npm run commons" lists all of them.`,
    )
    return EXIT.misused
  }
  try {
    return await runAs({ kind: 'command', name }, () => command.run(asked, terminal))
  } catch (cause) {
    terminal.complain(lineOf(cause, command))
    return EXIT.failed
  }
}

function understood({ usage, flags = {} }: Command, given: string[]): CommandArguments | null {
  try {
    const { positionals: words, values } = parseArgs({ args: given, options: flags, allowPositionals: true })
    const required = usage.split('<').length - 1
    const most = required + usage.split(/\[(?!-)/).length - 1
    return words.length >= required && words.length <= most && words.every(word => word !== '')
      ? { words, flags: values }
      : null
  } catch {
    return null
  }
}

function lineOf(cause: unknown, { example }: Command): string {
  if (cause instanceof Refusal) return wordsOf(cause, example)
  if (cause instanceof CommandFailure || cause instanceof ConfigurationError || cause instanceof DatabaseUnusable)
    return cause.message
  return masked(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
}

function help(say: (line: string) => void): void {
  say('npm run commons -- <command>')
  say('It reads the same configuration as the portal: see docs/configuration.md.')
  for (const { name, usage, summary } of COMMANDS) say(`\n  ${`${name} ${usage}`.trim()}\n      ${summary}`)
}

async function readLine(): Promise<string> {
  const input = createInterface({ input: process.stdin })
  try {
    for await (const line of input) return line
    return ''
  } finally {
    input.close()
  }
}

const readInput = (): Promise<string> => (process.stdin.isTTY ? readLine() : text(process.stdin))

if (import.meta.main) {
  // Whoever reads only the first lines, as head does, goes away before the last: the command is carried out all the
  // same.
  process.stdout.on('error', () => {})
  process.exitCode = await runCommand(process.argv.slice(2), {
    env: process.env,
    say: line => {
      process.stdout.write(`${line}\n`)
    },
    complain: line => {
      process.stderr.write(`${line}\n`)
    },
    readLine,
    readInput,
  })
}
