/** Starts one server that misbehaves: `node broken.mjs MODE [HOW]`. What each does is said beside it. */
import { banner, diesMidCall, exitsAtOnce, floodsStderr, garbageJson, html, neverAnswers, wrongIds } from './faults.mjs';
import { changing, fiveThousand, growing, injects, largeCatalog, notASchema, paged } from './listings.mjs';
import { hugeFrame, results, slow } from './results.mjs';

const MODES = {
  'never-answers': neverAnswers,
  'exits-at-once': exitsAtOnce,
  'garbage-json': garbageJson,
  'wrong-ids': wrongIds,
  html,
  banner,
  'floods-stderr': floodsStderr,
  'dies-mid-call': diesMidCall,
  'huge-frame': hugeFrame,
  'not-a-schema': notASchema,
  'five-thousand': fiveThousand,
  'large-catalog': largeCatalog,
  changing,
  growing,
  paged,
  injects,
  results,
  slow,
};

const [mode = '', how] = process.argv.slice(2);
if (Object.hasOwn(MODES, mode)) {
  MODES[mode](how);
} else {
  process.stderr.write(`which one? ${Object.keys(MODES).join(', ')}\n`);
  process.exitCode = 2;
}
