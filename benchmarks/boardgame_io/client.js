// So many people at once, each with matches of 80 moves, about as many as a hand of cards has, one move after the other:
// `node client.js PORT PEOPLE SECONDS`. Prints the milliseconds of each move, from sending it to the server's answer, as a list.
const { randomUUID } = require("node:crypto");
const { io } = require("socket.io-client");

const MOVES = 80;
const [port, people, seconds] = process.argv.slice(2).map(Number);
const end = performance.now() + seconds * 1000;
const times = [];

async function play() {
  const socket = io(`http://127.0.0.1:${port}/count`, { transports: ["websocket"] });
  const next = (name) => new Promise((resolve) => socket.once(name, (...told) => resolve(told)));
  while (performance.now() < end) {
    const matchID = randomUUID(); // who asks for a match that does not exist begins it
    socket.emit("sync", matchID, "0", undefined, 2);
    let [, { state }] = await next("sync");
    for (let move = 0; move < MOVES && performance.now() < end; move++) {
      const begun = performance.now();
      const action = { type: "MAKE_MOVE", payload: { type: "add", args: [], playerID: "0" } };
      socket.emit("update", action, state._stateID, matchID, "0");
      [, state] = await next("update");
      times.push(performance.now() - begun);
    }
  }
  socket.close();
}

Promise.all(Array.from({ length: people }, play)).then(() => console.log(JSON.stringify(times)));
