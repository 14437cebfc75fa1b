import type { Configuration } from '#contract/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { uploadsOnDisk } from './disk.ts'
import { filesAtWeb } from './filesAtWeb.ts'
import { localFiles } from './localFiles.ts'
import { sweepUploads } from './sweep.ts'
import { uploadingRules } from './uploading.ts'
import type { WebFiles } from './webFiles.ts'

type Deps = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  /** The files lie in its folder `uploads`. */
  data_dir: string
  /** null = no web service is connected. */
  web: WebFiles | null
}

/** Milliseconds. */
const SWEEP_AGAIN = 600_000

export type Files = ReturnType<typeof openFiles>

/** The files people upload (the specification, section 5). */
export function openFiles({ open, clock, configuration, data_dir, web }: Deps) {
  const disk = uploadsOnDisk(data_dir)
  const uploading = uploadingRules({ database: open.database, configuration })
  const sweep = () => sweepUploads({ open, clock, disk })
  return {
    local: localFiles({ open, clock, disk, configuration, uploading }),
    atWeb: filesAtWeb({ open, clock, disk, configuration, uploading, web }),
    sweep,

    /**
     * At the start, and once more later where other processes may be taking files: there, what a crash has just cut short looks like one of
     * theirs for a while. Gives what keeps the second from happening.
     */
    async beginSweeping(log: Log): Promise<() => void> {
      const sweepOnce = () =>
        sweep().then(
          removed => {
            if (removed > 0) log.info({ removed }, 'files that an upload had left unfinished were removed')
          },
          (error: unknown) => log.error({ err: error }, 'the uploaded files could not be looked through'),
        )
      await sweepOnce()
      const again = open.engine === 'postgresql' ? setTimeout(sweepOnce, SWEEP_AGAIN).unref() : undefined
      return () => clearTimeout(again)
    },
  }
}
