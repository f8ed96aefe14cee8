// Builds the dashboard into dist/web, to be served under /app/. `TERCE_URL` is what `vite` asks while developing.
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API = /^\/(?!app(\/|$)|@|src\/|node_modules\/)/.source

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // Nothing may be inlined as a data: script or style: the content security policy would refuse it.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { [API]: { target: process.env.TERCE_URL ?? 'http://127.0.0.1:3000', changeOrigin: true } },
  },
})
