import type { Asking } from '#server/asking/asking.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import type { Notices } from '#server/notices/notices.ts'
import type { Sources } from '#server/sources/source.ts'
import type { openModelReading } from '#server/upstreams/modelReading.ts'

type Work = {
  sources: Sources
  asking: Asking
  jobs: Jobs
  notices: Notices
  /** Null: the models of upstreams are not read. */
  models: ReturnType<typeof openModelReading> | null
}

/**
 * Begins what runs by itself from now on: asks and jobs, also those that earlier processes left, and the reading of
 * models.
 */
export async function beginWork({ sources, asking, jobs, notices, models }: Work): Promise<void> {
  await asking.begin()
  notices.begin()
  for (const job of sources.all.flatMap(source => source.jobs ?? [])) jobs.define(job)
  if (models !== null) jobs.define(models.job)
  await jobs.begin()
  models?.begin()
  // A process that was killed may have left some.
  await jobs.start('unfinished uploads')
  await jobs.start('unfinished deletions')
  for (const source of sources.all) await source.begin?.()
}
