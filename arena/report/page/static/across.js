// A page over several runs: its tables can be sorted.

import { makeSortable } from "./tables.js";

makeSortable(document.body);
