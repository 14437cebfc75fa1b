import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Terminal } from '#server/commands/command.ts'
import type { DatabasePlace } from '#server/foundation/database/open.ts'

/** A terminal that keeps what was said, with the environment of whoever runs a portal there. */
export async function aTerminal(
  place: DatabasePlace | null = null,
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const data_dir = place !== null && 'data_dir' in place ? place.data_dir : await aFolder()
  const said: string[] = []
  const complaints: string[] = []
  const terminal: Terminal = {
    env: {
      COMMONS_DATA_DATA_DIR: data_dir,
      ...(place !== null && 'database_url' in place && { DATABASE_URL: place.database_url }),
      ...env,
    },
    say: line => {
      said.push(line)
    },
    complain: line => {
      complaints.push(line)
    },
    readLine: async () => input,
  }
  return { terminal, said, complaints, data_dir }
}

/** Gone when the test is over. */
export async function aFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}
