import type { ChildProcess } from 'node:child_process'

export type Interruption = { code(): number | null; reaches(child: ChildProcess): void }
export function watchInterruption(npm?: number | null): Interruption
export function codeOf(signal: NodeJS.Signals): number
