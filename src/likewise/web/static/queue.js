// Answers on their way. Each has an id of its own and stays in the browser until the server has
// said that it is kept, so that neither a reload nor a dead network loses or doubles one.

import { Refused, Unreachable } from "./api.js";

const PLACE = "likewise-queue";
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;

export function createQueue(api, { onState }) {
  let waiting = read();
  let sending = null;

  function read() {
    try {
      return JSON.parse(localStorage.getItem(PLACE)) ?? [];
    } catch {
      return [];
    }
  }

  function keep() {
    try {
      localStorage.setItem(PLACE, JSON.stringify(waiting));
    } catch {
      // Without storage the answers live as long as the page.
    }
  }

  async function sendAll() {
    let pause = FIRST_PAUSE;
    let last = null;
    while (waiting.length) {
      const { kind, body } = waiting[0];
      try {
        last = await api[kind](body);
        pause = FIRST_PAUSE;
      } catch (error) {
        if (error instanceof Unreachable || (error instanceof Refused && error.status >= 500)) {
          onState({ offline: true, waiting: waiting.length });
          await new Promise((resolve) => setTimeout(resolve, pause));
          pause = Math.min(2 * pause, LONGEST_PAUSE);
          continue;
        }
        // The server has understood and will never take it: there is no sense in keeping it.
        drop();
        onState({ offline: false, waiting: waiting.length });
        throw error;
      }
      drop();
      onState({ offline: false, waiting: waiting.length });
    }
    return last;
  }

  function drop() {
    waiting = waiting.slice(1);
    keep();
  }

  return {
    // Resolves with the server's reply once this and all before it are kept there.
    send(kind, body) {
      const { question, ...rest } = body;
      const named = { ...(question ? { question } : {}), ...rest, client_id: newId() };
      waiting = [...waiting, { kind, body: named }];
      keep();
      return this.flush();
    },
    flush() {
      sending ??= sendAll().finally(() => {
        sending = null;
      });
      return sending;
    },
    get length() {
      return waiting.length;
    },
  };
}

export function newId() {
  // randomUUID exists only where the page is served securely or from this computer.
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}
