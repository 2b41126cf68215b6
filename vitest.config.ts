import { defineConfig } from 'vitest/config';

const architecture = 'test/architecture';

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
          include: [
            'src/**/*.test.{ts,tsx}',
            'resources/**/*.test.ts',
            'test/{support,servers,doors,core,scripts}/**/*.test.ts',
            `${architecture}/**/*.test.ts`,
          ],
          exclude: [`${architecture}/bundles.test.ts`],
        },
      },
      {
        extends: true,
        // Reads what the build wrote.
        test: { name: 'bundles', include: [`${architecture}/bundles.test.ts`] },
      },
    ],
  },
});
