// Builds the dashboard into dist/web, to be served under /app/. During development vite proxies the API to TERCE_URL.
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const TERCE = process.env.TERCE_URL ?? 'http://127.0.0.1:3000'
const API = /^\/(?!app(\/|$)|@|src\/|node_modules\/)/.source

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // No data: URLs for scripts or styles: the content security policy blocks them.
    assetsInlineLimit: 0,
  },
  server: {
    // Without API keys, Terce rejects requests from pages of another origin.
    proxy: { [API]: { target: TERCE, changeOrigin: true, headers: { origin: TERCE } } },
  },
})
