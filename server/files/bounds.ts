import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { effectiveValues } from '#server/policy/effectiveSetting.ts'

/** Bytes of the files of a person. */
export type FileBounds = {
  /** Of all together. */
  all: number
  /** Of one that goes with a question. */
  attached: number
  /** Of any that is kept on this server. */
  one: number
}

/** As own values or the plan say, else as the settings; one file is never larger than the server takes. */
export async function fileBounds(
  database: Database,
  configuration: Configuration,
  user_id: number,
): Promise<FileBounds> {
  const { data, files } = configuration
  const { max_upload_bytes, max_file_bytes } = await effectiveValues(database, configuration, user_id)
  const most = data.max_file_upload_size
  return {
    all: max_upload_bytes.value ?? data.max_upload_bytes_per_user,
    attached: Math.min(max_file_bytes.value ?? files.max_file_bytes, most),
    one: Math.min(max_file_bytes.value ?? most, most),
  }
}
