/**
 * Milliseconds that a test waits for an event. Only a test that hangs takes so long; a busy machine may need a while.
 */
export const PATIENCE = 60_000
