import { reportFailure } from '#web/foundation/failures.ts'

/** Whether it succeeded; if not, the user has been told. */
export async function done(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    reportFailure(error)
    return false
  }
}
