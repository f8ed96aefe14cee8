// Builds the dashboard into dist/web, to be served under /app/. During development vite proxies the API to TERCE_URL.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { docs } from './scripts/docs.ts'

const TERCE = process.env.TERCE_URL ?? 'http://127.0.0.1:3000'
const API = /^\/(?!app(\/|$)|@|src\/|node_modules\/)/.source

/** Writes each file of the dashboard compressed beside it, as the server sends it. Pages of docs are seldom read, and would fill the package. */
const compress: Plugin = {
  name: 'compress',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((one) => !one.startsWith('docs/'))) {
      const file = join(dir!, name)
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(bytes))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), tailwindcss(), docs, compress],
  // Files refer to each other by relative paths, so that the dashboard works under any path. The server adds that path to the page.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // No data: URLs for scripts or styles: the content security policy blocks them.
    assetsInlineLimit: 0,
  },
  server: {
    // Host and Origin stay as the browser sent them: Terce compares them, and rejects pages of another origin here too.
    proxy: { [API]: { target: TERCE } },
  },
})
