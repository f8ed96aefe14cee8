// Parses iCalendar text (RFC 5545) strictly: throws for everything that the RFC does not allow.

export type Component = { name: string; properties: Record<string, string> }

/** The properties, components and events of a calendar. Texts are unescaped. */
export function parseCalendar(text: string): {
  head: Record<string, string>
  components: Component[]
  events: Record<string, string>[]
} {
  if (!text.endsWith('\r\n')) throw new Error('The last line does not end with CRLF.')
  const lines = text.slice(0, -2).split('\r\n')
  for (const line of lines)
    if (Buffer.byteLength(line) > 75) throw new Error(`The line is longer than 75 octets: ${line}`)
  const unfolded = lines.join('\r\n').replaceAll('\r\n ', '').split('\r\n')
  const stack: Component[] = []
  const components: Component[] = []
  let head: Record<string, string> | null = null
  for (const line of unfolded) {
    const match = /^([A-Z-]+)(?:;[A-Z]+=[A-Z]+)*:(.*)$/s.exec(line)
    if (match === null) throw new Error(`The line is not a property: ${line}`)
    const [, name, value] = match as unknown as [string, string, string]
    if (name === 'BEGIN') stack.push({ name: value, properties: {} })
    else if (name === 'END') {
      const ended = stack.pop()
      if (ended?.name !== value) throw new Error(`END:${value} closes ${ended?.name}`)
      if (stack.length === 1) components.push(ended)
      if (stack.length === 0) head = ended.properties
    } else {
      const { properties } = stack.at(-1)!
      if (name in properties) throw new Error(`${name} is given twice`)
      properties[name] = value.replaceAll(/\\([\\;,nN])/g, (_, mark) =>
        mark.toLowerCase() === 'n' ? '\n' : mark,
      )
    }
  }
  if (head === null || stack.length > 0) throw new Error('The calendar does not end.')
  if (components.length === 0) throw new Error('A calendar must have a component.')
  const events = components.filter(({ name }) => name === 'VEVENT').map(({ properties }) => properties)
  for (const event of events)
    if (!event.UID || !event.DTSTAMP || !event.DTSTART)
      throw new Error('An event needs UID, DTSTAMP and DTSTART.')
  const uids = events.map(({ UID }) => UID)
  if (new Set(uids).size < uids.length) throw new Error('Two events have an equal UID.')
  return { head, components, events }
}
