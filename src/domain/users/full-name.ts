// The name by which a person is shown and greeted.

export function fullName({ firstName, lastName }: { firstName: string; lastName: string | null }): string {
  return lastName === null ? firstName : `${firstName} ${lastName}`
}
