export const OLDEST_NODE: [number, number]
export function findNode(version?: string, platform?: string, arch?: string): string | undefined
export function nodeIsMissing(version?: string, platform?: string, arch?: string): string
export function explained(complaint: string): { why: string; remedy: string }
export function isNewEnough(version: string): boolean
export function broughtByNpm(platform: string, arch: string): string[]
