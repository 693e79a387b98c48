import { access, constants, statfs } from 'node:fs/promises'
import { DISK } from '../../options/defaults.ts'
import { createProblems } from '../../options/problems.ts'
import { readNumber } from '../../options/read-number.ts'
import { type DiskFigures, judgeDisk } from '../../rules/judge-disk.ts'
import type { Check } from '../../vocabulary/check.ts'
import { type CheckOptions, readCheckOptions } from '../read-check-options.ts'

/** Options of `diskCheck`. */
export interface DiskCheckOptions extends CheckOptions {
  /** Least free space in percent of the space available to users other than root, as `df` counts. @default 10, or none where `minFreeBytes` is given */
  readonly minFreePercent?: number
  /** Least free space in bytes, for users other than root. @default none */
  readonly minFreeBytes?: number
  /** Least share of free inodes, in percent. @default 5 */
  readonly minFreeInodesPercent?: number
  /** Reads not usable where this process may not write, such as on a file system that the kernel has made read-only. Nothing is written. @default false */
  readonly writable?: boolean
}

async function figuresOf(path: string): Promise<DiskFigures> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path, { bigint: true })
  return {
    blockBytes: bsize,
    blocks,
    freeBlocks: bfree,
    availableBlocks: bavail,
    inodes: files,
    freeInodes: ffree,
  }
}

/**
 * Checks the free space of the file system that a path is on. A file system that stalls keeps its run, and with it one
 * thread of Node's pool, until it answers. Throws a `HealthConfigError` that lists every problem.
 */
export function diskCheck(path: string, options: DiskCheckOptions = {}): Check {
  const problems = createProblems()
  const keys = ['minFreePercent', 'minFreeBytes', 'minFreeInodesPercent', 'writable']
  const { own, policy } = readCheckOptions('diskCheck', options, keys, problems)
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    problems.add('diskCheck(path)', 'the path of a file or folder', path)
  }
  const number = (key: keyof typeof DISK): number =>
    readNumber(`diskCheck.${key}`, own[key], DISK[key], problems)
  const percent = number('minFreePercent')
  const isBytesAlone = own.minFreeBytes !== undefined && own.minFreePercent === undefined
  const limits = {
    minFreePercent: isBytesAlone ? 0 : percent,
    minFreeBytes: number('minFreeBytes'),
    minFreeInodesPercent: number('minFreeInodesPercent'),
  }
  const { writable = false } = own
  if (typeof writable !== 'boolean') problems.add('diskCheck.writable', 'true or false', writable)
  problems.throwIfAny()
  return {
    name: 'disk',
    ...policy,
    run: async (signal) => {
      const figures = await figuresOf(path)
      // a stall may have ended long after its run: it takes no second thread
      signal.throwIfAborted()
      if (writable) await access(path, constants.W_OK)
      return judgeDisk(figures, limits)
    },
  }
}
