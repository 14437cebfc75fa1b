import { createContext, type ReactNode, useContext } from 'react'
import { Link } from '@tanstack/react-router'
import { NEW_CONVERSATION } from '#contract/conversations.ts'

/** Called when a link to a conversation is followed: on a phone the drawer closes. */
export const OnLinkFollowed = createContext<(() => void) | undefined>(undefined)

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

/** An ordinary link, so that new tabs, bookmarks and the back button work. */
export function ConversationLink({ id, message, current, children, ...rest }: ConversationLinkProps) {
  const onFollowed = useContext(OnLinkFollowed)
  const search = id === null || id === NEW_CONVERSATION ? {} : { id }
  return (
    <Link
      to="/conversation"
      search={search}
      hash={message}
      {...rest}
      aria-current={current ? 'page' : undefined}
      onClick={onFollowed}
    >
      {children}
    </Link>
  )
}
