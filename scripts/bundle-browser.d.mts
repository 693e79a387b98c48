import type { Plugin } from 'vite'

export declare const bundleBrowser: () => Plugin
