import { streamsOfSnapshots } from './streams.ts'
import { syncOfManyConversations } from './sync.ts'
import { uploadOfLargeFile } from './upload.ts'

export type WebOptions = { rounds: number; quick: boolean }

/** The cost of the web source, compared with the other source and with curl. */
export async function webSection(options: WebOptions): Promise<void> {
  await streamsOfSnapshots(options)
  await syncOfManyConversations(options)
  await uploadOfLargeFile(options)
}
