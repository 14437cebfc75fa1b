import type { Interruption } from './interruption.mjs'

export const NODE_ENVIRONMENT: Record<string, string>
export function runNode(
  args: string[],
  environment?: Record<string, string>,
  interruption?: Interruption,
): Promise<number>
