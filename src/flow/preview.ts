// Shows what a text would say to somebody, at the next occurrence of theirs. Stores nothing and sends nothing.

import { type RenderedMail, renderMail, renderMessage } from '../domain/message.ts'
import type { MessageEvent } from '../domain/message-variables.ts'
import type { Occasion } from '../domain/occasion.ts'
import type { TemplateText } from '../domain/template.ts'
import type { User } from '../domain/user.ts'
import { type Planner, planFirst } from './plan.ts'

export type Preview = { message: string } & RenderedMail

export function previewText(
  planner: Planner,
  text: TemplateText,
  of: { user: User; occasion: Occasion; lateBySeconds: number; now: number },
): Preview {
  const { user, occasion, now } = of
  const event: MessageEvent = {
    ...planFirst(planner, occasion, user, now),
    eventType: occasion.type,
    occasion,
  }
  const facts = {
    event,
    person: user,
    now: event.targetAt + of.lateBySeconds * 1000,
  }
  const source = { ...text, from: 'the template' }
  return {
    message: renderMessage(facts, source),
    ...renderMail(facts, source),
  }
}
