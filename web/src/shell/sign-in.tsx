// Sign-in with an API key, which starts a session; and sign-out.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../api/client.ts'
import { signIn, signOut } from '../api/session.ts'
import { useAction } from '../ui/action.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Input } from '../ui/field.tsx'
import { Mark } from '../ui/icons.tsx'

export function SignIn() {
  const [key, setKey] = useState('')
  const client = useQueryClient()
  const signingIn = useAction(() => signIn(key.trim()), {
    showsError: true,
    refetches: [],
    onSuccess: () => void client.resetQueries(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signingIn.mutate()
  }
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <form onSubmit={submit} className="w-full max-w-sm space-y-5">
        <div className="flex items-center gap-3">
          <Mark size={30} />
          <h1 className="font-serif text-2xl">Terce</h1>
        </div>
        <p className="text-soft">
          Sign in with an API key. You are signed out after 12 hours without activity.
        </p>
        <Input
          label="API key"
          type="password"
          autoComplete="current-password"
          placeholder="terce_…"
          required
          autoFocus
          value={key}
          onChange={(event) => {
            setKey(event.target.value)
            signingIn.reset()
          }}
          problem={signingIn.error === null ? undefined : messageOf(signingIn.error)}
          hint={
            <>
              Create one on the server:
              <code className="block font-mono">npx terce keys create --name me --scope admin</code>
            </>
          }
        />
        <Button look="primary" type="submit" busy={signingIn.isPending} className="w-full">
          Sign in
        </Button>
      </form>
    </main>
  )
}

function useSignOut(everywhere: boolean) {
  const client = useQueryClient()
  return useAction(() => signOut({ everywhere }), {
    refetches: [],
    onSuccess: () => void client.resetQueries(),
  })
}

export function SignOut() {
  const signingOut = useSignOut(false)
  return <IconButton label="Sign out" icon="out" onClick={() => signingOut.mutate()} />
}

export function SignOutEverywhere() {
  const signingOut = useSignOut(true)
  return (
    <Button
      look="quiet"
      data-tip="Signs out all browsers that signed in with the key of this one."
      busy={signingOut.isPending}
      onClick={() => signingOut.mutate()}
    >
      Sign out everywhere
    </Button>
  )
}
