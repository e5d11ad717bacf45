import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { themeStyles } from '../schema/theme.ts';
import { themeModule } from './bundle.ts';
import { currentPublication, setPublication } from './current-publication.ts';
import { loadPublication } from './load-publication.ts';
import type { BuildOptions } from './options.ts';
import type { Publication } from './publication.ts';
import { checkFolder } from './settings.ts';

/**
 * Gives the pages what they show: checks and reads the dataset before anything is touched, and under
 * `astro dev` whenever one of its files changes.
 */
export function contentIntegration(options: BuildOptions): AstroIntegration {
  const { contentDir, print } = options;
  let root: string;
  const load = async (): Promise<void> => setPublication(await loadPublication(options, root));

  return {
    name: 'content',
    hooks: {
      'astro:config:setup': async ({ command, config, updateConfig }) => {
        if (command !== 'build' && command !== 'dev') return;
        root = fileURLToPath(config.root);
        checkFolder(root);
        await load();
        print(summaryLine(currentPublication()));
        const theme = themeModule(() => themeStyles(currentPublication().theme));
        updateConfig({ vite: { plugins: [theme] } });
      },

      'astro:server:setup': ({ server, logger }) => {
        server.watcher.add(contentDir);
        server.watcher.on('all', (_event, path) => {
          if (!path.startsWith(contentDir + sep)) return;
          load().then(
            () => server.ws.send({ type: 'full-reload' }),
            (error: Error) => logger.error(error.message),
          );
        });
      },
    },
  };
}

function summaryLine({ dataset }: Publication): string {
  const { known, published, excluded } = dataset.coverage;
  const left = excluded.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  return `${known} reviews known, ${published} published${left && `, left out: ${left}`}`;
}
