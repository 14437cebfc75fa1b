/** Milliseconds that a test waits for anything. Only what hangs takes as long; a machine with other work may take a while. */
export const PATIENCE = 30_000
