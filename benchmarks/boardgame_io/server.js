// boardgame.io's server with a game that only counts: `node server.js PORT FOLDER`, its games in files of FOLDER.
const { Server, FlatFile } = require("boardgame.io/server");
const { ActivePlayers } = require("boardgame.io/core");

const [port, folder] = process.argv.slice(2);
const game = {
  name: "count",
  setup: () => ({ count: 0 }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: { add: ({ G }) => ({ count: G.count + 1 }) },
};
Server({ games: [game], origins: ["*"], db: new FlatFile({ dir: folder }) }).run(Number(port));
