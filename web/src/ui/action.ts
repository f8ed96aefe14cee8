// A change: one request, then a notice, then a refetch of the data it affects. Every mutation of the dashboard is an action.
import {
  type MutationOptions,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { invalidateAll } from '../api/polling.ts'
import { notify, notifyError } from './toast.tsx'

export type ActionSettings<Output, Input> = {
  /** The notice after success. An empty text shows none. */
  says?: string | ((output: Output, input: Input) => string)
  /** The queries to refetch; all live queries if omitted. */
  refetches?: readonly QueryKey[]
  /** Whether the caller shows the error, as forms do beside their fields. Otherwise it is a notice. */
  showsError?: boolean
  onSuccess?: (output: Output, input: Input) => void
  /** After success or error. */
  onSettled?: () => void
  mutationKey?: QueryKey
}

/** `const deleting = useAction(() => deleteTask(id), { says: 'Task deleted.' })`, then `deleting.mutate()`. */
export function useAction<Output, Input = void>(
  run: (input: Input) => Promise<Output>,
  settings: ActionSettings<Output, Input> = {},
) {
  return useMutation(actionOptions(useQueryClient(), run, settings))
}

export function actionOptions<Output, Input = void>(
  client: QueryClient,
  run: (input: Input) => Promise<Output>,
  settings: ActionSettings<Output, Input> = {},
): MutationOptions<Output, Error, Input> {
  const { says, refetches, showsError = false, onSuccess, onSettled, mutationKey } = settings
  const refetch = () =>
    refetches === undefined
      ? invalidateAll(client)
      : Promise.all(refetches.map((queryKey) => client.invalidateQueries({ queryKey })))
  return {
    ...(mutationKey !== undefined && { mutationKey }),
    mutationFn: run,
    onSuccess(output, input) {
      const text = typeof says === 'function' ? says(output, input) : says
      if (text) notify(text)
      onSuccess?.(output, input)
    },
    onError(error) {
      if (!showsError) notifyError(error)
    },
    onSettled() {
      // Not awaited: the action is done when the server has accepted it. After an error the data on screen may be outdated.
      void refetch()
      onSettled?.()
    },
  }
}
