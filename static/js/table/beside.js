/** What stands beside the table and is kept by itself: the chats, and one's own notes. */
import { startChat } from "./chat.js";
import { startNotes } from "./notes.js";

startChat();
startNotes();
