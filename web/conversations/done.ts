import { reportFailure } from '#web/foundation/failures.ts'

/** Whether it went well; if not, the person has been told. */
export async function done(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    reportFailure(error)
    return false
  }
}
