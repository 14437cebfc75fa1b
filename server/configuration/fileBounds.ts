import type { Configuration } from '#contract/configuration/configuration.ts'

/** Bytes of a file that goes with a question: no more than any file here may have. */
export const largestFile = ({ files, data }: Configuration): number =>
  Math.min(files.max_file_bytes, data.max_file_upload_size)
