import { useEffect } from 'react'
import { create } from 'zustand'
import { attachmentsOf, type Message } from '#contract/messages.ts'
import type { OwnFile } from '#contract/ownFiles.ts'
import { useSession } from '#web/foundation/session.ts'
import { readFacts } from '#web/messages/attached/fileFacts.ts'

/** What is known of files that went with earlier questions, by their ids. */
export type EarlierFacts = ReadonlyMap<string, OwnFile>

const useFacts = create<{ facts: EarlierFacts }>(() => ({ facts: new Map() }))
const asked = new Set<string>()

/** Asks for what is not known yet. */
export function useEarlierFacts(messages: readonly Message[]): EarlierFacts {
  const { facts } = useFacts()
  const ids = messages
    .filter(({ metadata }) => metadata?.source === 'openai_api')
    .flatMap(attachmentsOf)
    .map(({ id }) => id)
    .filter(id => !asked.has(id))
    .slice(0, MAX_ASKED)
    .join(',')
  useEffect(() => {
    if (ids !== '') void learn(ids.split(','))
  }, [ids])
  return facts
}

/** Of a thread; further ones count as nothing. */
const MAX_ASKED = 100

async function learn(ids: string[]): Promise<void> {
  for (const id of ids) asked.add(id)
  try {
    const learned = await readFacts(ids)
    useFacts.setState(({ facts }) => ({ facts: new Map([...facts, ...learned]) }))
  } catch {
    // Then the bar counts without them.
  }
}

useSession.subscribe(({ user }) => {
  if (user !== null) return
  asked.clear()
  useFacts.setState({ facts: new Map() })
})
