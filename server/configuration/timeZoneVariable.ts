import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isTimeZone } from './rules.ts'

const ZONES = '/usr/share/zoneinfo'
/** Where the name begins in the path of a zone's file, whichever system keeps it. */
const IN_ZONES = /\/zoneinfo[^/]*\/(?:posix\/|right\/)?(.+)$/

/** POSIX: a name, the hours that Greenwich is ahead, and perhaps the name of summer time with its rules. */
const POSIX =
  /^([A-Za-z]{3,}|<[\w+-]{3,}>)([+-]?)(\d{1,2})(?::(\d{2}))?(?::\d{2})?([A-Za-z]{3,}|<[\w+-]{3,}>)?(?:[\d:+-]*)(?:,.*)?$/

/** Those with summer time that are widely used and have no zone of their own name. */
const WITH_SUMMER_TIME: Record<string, string> = {
  WET0WEST: 'WET',
  GMT0BST: 'Europe/London',
  'CET-1CEST': 'CET',
  'MET-1MEST': 'MET',
  'EET-2EEST': 'EET',
  NST3NDT: 'America/St_Johns',
  AST4ADT: 'America/Halifax',
  AKST9AKDT: 'America/Anchorage',
  'ACST-9ACDT': 'Australia/Adelaide',
  'AEST-10AEDT': 'Australia/Sydney',
  'NZST-12NZDT': 'Pacific/Auckland',
}

/** The zone that the forms of TZ mean which a system knows and Node does not: a file, a link, an offset. Null when they mean none. */
export function zoneOfVariable(text: string): { zone: string; means: string } | null {
  const given = text.trim().replace(/^:/, '')
  const named = isTimeZone(given) ? given : zoneOfFile(given)
  return named === null ? zoneOfOffset(given) : { zone: named, means: named }
}

function zoneOfFile(given: string): string | null {
  const [, zone = ''] = IN_ZONES.exec(linkedTo(resolve(ZONES, given))) ?? []
  return isTimeZone(zone) ? zone : null
}

/** A small system has the link, and not the zones that it leads to. */
function linkedTo(path: string): string {
  for (const read of [realpathSync, readlinkSync]) {
    try {
      return resolve(dirname(path), read(path))
    } catch {
      // The next way may do.
    }
  }
  return path
}

function zoneOfOffset(given: string): { zone: string; means: string } | null {
  const [, name = '', sign = '', hours = '', minutes = '00', summer] = POSIX.exec(given) ?? []
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null
  const west = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const distance = `${hours.padStart(2, '0')}:${minutes}`
  const offset = `${west > 0 ? '-' : '+'}${distance}`
  if (summer === undefined) return { zone: fixedZone(west, offset), means: `UTC${offset}` }
  const withSummer = `${name}${sign === '-' ? '-' : ''}${Number(hours)}${summer}`
  const zone = isTimeZone(withSummer) ? withSummer : WITH_SUMMER_TIME[withSummer]
  return zone === undefined
    ? { zone: fixedZone(west, offset), means: `UTC${offset}, all year, since its summer time is not known here` }
    : { zone, means: zone }
}

/** The names of these zones count to the west as POSIX does; there are none for parts of an hour. */
function fixedZone(west: number, offset: string): string {
  if (west === 0) return 'UTC'
  const zone = `Etc/GMT${west > 0 ? '+' : ''}${west / 60}`
  return isTimeZone(zone) ? zone : offset
}
