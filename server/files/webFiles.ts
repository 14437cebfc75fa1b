import type { Readable } from 'node:stream'
import type { UseCase } from '#contract/files.ts'

/** What the shared web account does with files. Each call throws the refusal of its upstream. */
export type WebFiles = {
  /** Announces a file; says what it is called there and where it is to be put. */
  begin(file: {
    file_name: string
    file_size: number
    use_case: UseCase
  }): Promise<{ file_id: string; upload_url: string }>
  /** Puts it there. */
  put(upload_url: string, file: { content: Readable; size: number; content_type: string }): Promise<void>
  /** Says that it is there. Works once. */
  complete(file_id: string): Promise<{ download_url: string }>
  /** An address for a short while. */
  downloadUrl(file_id: string): Promise<string>
}
