import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Audit } from './audit/log.ts'
import type { Oversight } from './audit/oversight.ts'
import type { Users } from './users/users.ts'
import { chunkStore } from './asks/store.ts'
import type { Purge } from './conversations/administration/purge.ts'
import type { Files } from './files/files.ts'
import { readFileTexts } from './foundationServices.ts'
import type { Clock } from './foundation/clock.ts'
import type { OpenDatabase } from './foundation/database/open.ts'
import { searchReindex } from './foundation/search/searchReindex.ts'
import type { Jobs } from './foundation/jobs/jobs.ts'
import type { Log } from './foundation/logging.ts'
import type { Logs } from './logs/logs.ts'
import { finishErasures } from './users/administration/erasing.ts'
import type { Sources } from './sources/source.ts'
import { askSums, oldStatistics } from './statistics/statisticsJobs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Milliseconds; no deletion takes so long. */
const STILL_UNDER_WAY = 600_000

type Dependencies = {
  jobs: Jobs
  open: OpenDatabase
  users: Users
  files: Files
  logs: Logs
  audit: Pick<Audit, 'removeOld'>
  oversight: Pick<Oversight, 'removeOld'>
  clock: Clock
  log: Log
  purge: Purge
  sources: Pick<Sources, 'of'>
  stopAsksOf(user_id: number): Promise<void>
  configuration(): Configuration
}

/** What is done again and again while the portal runs. */
export function defineJobs(dependencies: Dependencies): void {
  const { jobs, open, users, files, logs, clock, log, configuration } = dependencies
  const { purge, sources, stopAsksOf, audit, oversight } = dependencies
  const start_time = clock.now()
  jobs.define({ name: 'expired sessions', every: HOUR, run: () => users.removeExpiredSessions() })

  jobs.define({
    name: 'unfinished uploads',
    every: HOUR,
    async run() {
      const removed = await files.sweep()
      if (removed > 0) log.info({ removed }, 'files that an upload had left unfinished were removed')
      return { removed }
    },
  })

  // What a kill cut short. What is younger than this process and a moment may still be under way in another one.
  jobs.define({
    name: 'unfinished deletions',
    every: HOUR,
    async run({ signal }) {
      const before = Math.max(start_time, clock.now() - STILL_UNDER_WAY)
      const conversations = await purge.finishAll(before, signal)
      const erased = await finishErasures(before, { open, users, stopAsksOf, sources })
      if (conversations + erased > 0)
        log.info({ conversations, people: erased }, 'deletions that were cut short were finished')
      return { conversations, people: erased }
    },
  })

  // An answer that is stored takes its own with it. These are of a process that wrote on after another one had closed
  // its ask.
  jobs.define({
    name: 'chunks of ended asks',
    every: HOUR,
    async run() {
      const { numDeletedRows } = await chunkStore(open.database).removeOfEnded()
      return { removed: Number(numDeletedRows) }
    },
  })

  jobs.define({ name: 'old log files', every: HOUR, run: async () => ({ removed: await logs.removeOld(clock.now()) }) })

  jobs.define({
    name: 'old audit',
    every: DAY,
    run: async () => ({ rows: await audit.removeOld(), readings: await oversight.removeOld() }),
  })

  jobs.define(searchReindex(open, log, readFileTexts))
  jobs.define(askSums({ open, clock }))
  jobs.define(oldStatistics({ open, clock, configuration }))
}
