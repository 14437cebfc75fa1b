export const NODE_ENVIRONMENT: Record<string, string>
export function runNode(args: string[], environment?: Record<string, string>): Promise<number>
