// Starts the dashboard.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { statusOf } from './api/client.ts'
import { isLive, pollMs } from './api/polling.ts'
import { App, preload } from './app.tsx'
import './style.css'
import { applyTheme } from './shell/theme.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'

applyTheme()

const client: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      // A rejected request would be rejected again; an error of the server may pass. Without a response, polling retries.
      retry: (failures, error) => failures < 2 && statusOf(error) >= 500,
      retryDelay: 500,
      refetchInterval: (query) => pollMs(client, query),
      refetchIntervalInBackground: false,
      refetchOnWindowFocus: isLive,
    },
  },
})

preload(client)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </QueryClientProvider>
  </StrictMode>,
)
