import { Refusal } from '#server/foundation/refusal.ts'

/** Concurrent uploads of one user, in this process. */
const MAX_AT_A_TIME = 2

/** Counts uploads while they last, to this server and through it; refuses one too many. */
export function openUploadLimit() {
  const sending = new Map<number, number>()
  return async <T>(user_id: number, upload: () => Promise<T>): Promise<T> => {
    const others = sending.get(user_id) ?? 0
    if (others >= MAX_AT_A_TIME) throw new Refusal('tooManyRequests')
    sending.set(user_id, others + 1)
    try {
      return await upload()
    } finally {
      const left = (sending.get(user_id) ?? 1) - 1
      if (left === 0) sending.delete(user_id)
      else sending.set(user_id, left)
    }
  }
}
export type UploadLimit = ReturnType<typeof openUploadLimit>
