// Runs one fault of faults.mjs: `node faults-main.mjs NAME [ARGUMENT]`.
import * as faults from './faults.mjs';

process.stderr.write('waiting\n');
faults[process.argv[2]](process.argv[3]);
