// A brain that plays from the first row on, and raises an error in its fourth move.
const lines = require("readline").createInterface({ input: process.stdin });
let size = 15;
let moves = 0;
let inBoard = false;
const taken = new Set();
const say = (text) => process.stdout.write(text + "\n");

function think() {
  moves += 1;
  const board = moves < 4 ? taken : null;
  let cell = 0;
  while (board.has(`${cell % size},${Math.floor(cell / size)}`)) cell += 1;
  const point = `${cell % size},${Math.floor(cell / size)}`;
  board.add(point);
  say(point);
}

lines.on("line", (line) => {
  const [command, words] = line.trim().split(" ");
  if (inBoard && command !== "DONE") return void taken.add(command.split(",").slice(0, 2).join());
  inBoard = command === "BOARD";
  if (command === "START") size = Number(words);
  if (command === "START" || command === "RESTART") taken.clear(), (moves = 0), say("OK");
  if (command === "ABOUT") say('name="failing", version="1"');
  if (command === "TURN") taken.add(words);
  if (command === "BEGIN" || command === "TURN" || command === "DONE") think();
  if (command === "END") process.exit(0);
});
