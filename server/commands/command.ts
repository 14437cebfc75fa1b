import type { parseArgs } from 'node:util'
import type { PasswordCost } from '#server/users/passwords.ts'

/** Input and output of a command. */
export type Terminal = {
  env: NodeJS.ProcessEnv
  say(line: string): void
  /** Writes to stderr. */
  complain(line: string): void
  /** The first line of stdin. */
  readLine(): Promise<string>
  /** All of stdin; of a terminal, where a person types, the first line. */
  readInput(): Promise<string>
  /** Lower in tests, which need no hashes that hold for years. */
  password_cost?: PasswordCost
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options']

/** What a command was called with. */
export type CommandArguments = {
  /** The positional arguments, no fewer and no more than the usage names. */
  words: string[]
  flags: Record<string, unknown>
}

/** One command of `npm run commons -- …`. */
export type Command = {
  name: string
  /** Positional arguments as the help shows them; `<…>` is required, `[…]` may be left out. */
  usage: string
  summary: string
  flags?: Options
  /** JSON that it takes as an argument, for the words of a refusal. */
  example?: string
  /** Resolves with the exit code. */
  run(given: CommandArguments, terminal: Terminal): Promise<number>
}

/** How a command is called. */
export const callOf = ({ name, usage }: Pick<Command, 'name' | 'usage'>): string =>
  `npm run commons -- ${name} ${usage}`.trim()

export const EXIT = { good: 0, failed: 1, misused: 2 } as const

/** Stops a command with one plain line for the caller. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
}
