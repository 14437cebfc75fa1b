/** Seconds. Whoever waited less is not told that it is their turn, and is not asked whether they want to be. */
export const LONG_WAIT_SECONDS = 60
