// A page over several runs: its tables can be sorted.

import { startFolds } from "./folds.js";
import { startTables } from "./tables.js";

startTables(document.body);
startFolds();
