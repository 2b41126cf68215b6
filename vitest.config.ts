import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Processes, not threads: tests start processes, listen on sockets and set environment variables.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Playwright's files end in .spec.ts.
          include: ['src/**/*.test.{ts,tsx}', 'resources/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/architecture/bundles.test.ts'],
        },
      },
      {
        extends: true,
        // Reads what the build wrote.
        test: { name: 'bundles', include: ['test/architecture/bundles.test.ts'] },
      },
    ],
  },
});
