export const SERVER_FLAGS: string[]
export const SERVER_ENVIRONMENT: Record<string, string>
