import type { ChildProcess } from 'node:child_process'

export type Interruption = { code(): number | null; reaches(child: ChildProcess): void }
export function startedBy(args: string[]): { npm: number | null; others: string[] }
export function watchInterruption(npm?: number | null): Interruption
export function codeOf(signal: NodeJS.Signals): number
