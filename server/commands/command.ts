import type { parseArgs } from 'node:util'

/** What a command is given to speak with. */
export type Terminal = {
  env: NodeJS.ProcessEnv
  say(line: string): void
  /** To the error output. */
  complain(line: string): void
  /** The first line of the standard input. */
  readLine(): Promise<string>
}

export type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options']

export type Asked = {
  /** As many as the usage names. */
  words: string[]
  flags: Record<string, unknown>
}

/** One command of `npm run commons -- …`. */
export type Command = {
  name: string
  /** The words after its name, as they stand in the help: `<…>` must be there. */
  usage: string
  summary: string
  flags?: Options
  /** Gives the exit code. */
  run(asked: Asked, terminal: Terminal): Promise<number>
}

export const EXIT = { good: 0, failed: 1, misused: 2 } as const

/** What stops a command: one plain line for whoever called it. */
export class CommandFailure extends Error {
  override name = 'CommandFailure'
}
