import { streamsOfSnapshots } from './streams.ts'
import { syncOfManyConversations } from './sync.ts'
import { uploadOfLargeFile } from './upload.ts'

export type WebOptions = { rounds: number; quick: boolean }

/** What the web source costs, beside what it must. */
export async function webSection(options: WebOptions): Promise<void> {
  await streamsOfSnapshots(options)
  await syncOfManyConversations(options)
  await uploadOfLargeFile(options)
}
