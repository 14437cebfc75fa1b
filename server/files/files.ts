import type { Configuration } from '#contract/configuration.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { uploadsOnDisk } from './disk.ts'
import { filesAtWeb } from './filesAtWeb.ts'
import { localFiles } from './localFiles.ts'
import { sweepUploads } from './sweep.ts'
import { uploadRules } from './uploadRules.ts'
import type { WebFiles } from './webFiles.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  /** The files lie in its folder `uploads`. */
  data_dir: string
  /** null = no web service is connected. */
  web: WebFiles | null
}

export type Files = ReturnType<typeof openFiles>

/** The files people upload (the specification, section 5). */
export function openFiles({ open, clock, configuration, data_dir, web }: Dependencies) {
  const disk = uploadsOnDisk(data_dir)
  const uploading = uploadRules({ database: open.database, configuration })
  const start_time = clock.now()
  return {
    local: localFiles({ open, clock, disk, configuration, uploading }),
    atWeb: filesAtWeb({ open, clock, disk, configuration, uploading, web }),
    /** Says how many files it removed. */
    sweep: () => sweepUploads({ open, clock, disk, start_time }),
  }
}
