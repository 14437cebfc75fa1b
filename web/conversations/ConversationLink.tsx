import { type ReactNode, useContext } from 'react'
import { Link } from '@tanstack/react-router'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { Opened } from './opened.ts'

type ConversationLinkProps = {
  id: string | null
  /** A message in it to scroll to. */
  message?: string
  current: boolean
  className: string | undefined
  dir?: 'auto'
  'data-testid'?: string
  children: ReactNode
}

/** A link to a conversation. An ordinary one, so that new tabs, bookmarks and the back button work. */
export function ConversationLink({ id, message, current, children, ...rest }: ConversationLinkProps) {
  const opened = useContext(Opened)
  const search = id === null || id === NEW_CONVERSATION ? {} : { id }
  return (
    <Link
      to="/conversation"
      search={search}
      hash={message}
      {...rest}
      aria-current={current ? 'page' : undefined}
      onClick={opened}
    >
      {children}
    </Link>
  )
}
