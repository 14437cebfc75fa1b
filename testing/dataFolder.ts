import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseStorage } from '#server/foundation/database/open.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import type { Person } from './person.ts'
import { startPortal } from './portal.ts'

/** An empty folder, removed after the test. */
export async function emptyFolder(): Promise<string> {
  const data_dir = await mkdtemp(join(tmpdir(), 'commons-test-'))
  onTestFinished(() => rm(data_dir, { recursive: true, force: true }))
  return data_dir
}

/** A simulator that outlives the servers that use it. */
export async function aSimulator(tokens_per_second = 0): Promise<Simulator> {
  const simulator = await startSimulator({ tokens_per_second })
  onTestFinished(() => simulator.close())
  return simulator
}

/**
 * Creates people with accounts and sessions in a database on which servers are about to be started; `openai_api` is
 * their setting.
 */
export async function peopleIn(
  storage: DatabaseStorage,
  simulator: Simulator,
  count: number,
  openai_api: object = {},
): Promise<Person[]> {
  const { person, admin, close } = await startPortal({ storage, simulator })
  const people: Person[] = []
  for (let made = 0; made < count; made++) people.push(await person())
  for (const { id } of people) await admin.result('PATCH', `/user/${id}/setting`, { openai_api })
  await close()
  return people
}
