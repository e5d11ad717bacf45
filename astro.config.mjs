import { defineConfig } from 'astro/config';
import { astroConfig } from './src/build/astro-config.ts';
import { readOptions } from './src/build/settings.ts';

// For `astro dev` and `astro check`; a build is configured by src/build/main.ts.
export default defineConfig(astroConfig(readOptions(process.env)));
