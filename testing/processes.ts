import { globSync, readFileSync } from 'node:fs'

/** Linux only: the command lines of the processes of a group. */
export function processesOf(group: number): string[] {
  return globSync('/proc/[0-9]*').flatMap(path => {
    const found = statusOf(path)
    return found !== null && found.group === group ? [found.command] : []
  })
}

/** Whether the process runs. One that has ended is listed until its parent reads its exit code. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return statusOf(`/proc/${pid}`) !== null
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function statusOf(path: string): { group: number; command: string } | null {
  try {
    // Behind the name in brackets: state, parent, group.
    const [state, , group] = readFileSync(`${path}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')
    const command = readFileSync(`${path}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return state === 'Z' ? null : { group: Number(group), command }
  } catch {
    return null // it has just ended
  }
}
