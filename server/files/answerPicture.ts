import { Readable } from 'node:stream'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { ArrivingPart } from '#server/foundation/http/parts.ts'
import type { KeptFiles } from './keptFiles.ts'
import { keptFileStore } from './keptStore.ts'

type Dependencies = { open: OpenDatabase; clock: Pick<Clock, 'now'>; kept: Pick<KeptFiles, 'keep'> }

export type AnswerPicture = { name: string; bytes: Buffer; conversation_id: string }

/** Stores a picture of an answer like one that its person has sent: checked, within their space, and theirs to delete. */
export const keepingAnswerPictures =
  ({ open, clock, kept }: Dependencies) =>
  async (user_id: number, { name, bytes, conversation_id }: AnswerPicture): Promise<string> => {
    const { file_id } = await kept.keep(user_id, onePart(name, bytes), bytes.length)
    await keptFileStore(open.database).change(file_id, { used_time: clock.now(), conversation_id })
    return file_id
  }

async function* onePart(filename: string, bytes: Buffer): AsyncGenerator<ArrivingPart> {
  yield { field: 'file', filename, content: Readable.from([bytes]) }
}
