// Answers on their way. Each lies under a key of its own in the browser, with the name under which
// it is sent, until the server has said that it is kept or never will be: neither a reload, a dead
// network nor a second window loses or doubles one.

const PREFIX = "likewise-answer:";
const FORMER = "likewise-queue"; // where pages before this one kept answers, by positions alone
const FIRST_PAUSE = 500; // milliseconds
const LONGEST_PAUSE = 8000;
const CLOSED_PAUSE = 15000; // where a person has to mend it; wrong tokens are counted over there
const NEVER = [409, 422]; // understood, and refused for good

export const isFinal = (error) => NEVER.includes(error.status);

// How long to leave the server alone; `pause` where it may be back at any moment.
export function pauseAfter({ status, retryAfter }, pause) {
  if (status === 429 && retryAfter) return 1000 * retryAfter;
  return status >= 400 && status < 500 ? CLOSED_PAUSE : pause;
}

// Every answer says for which study it is meant.
const studyOf = (body) => body.study ?? body.question.split(".")[0];

export function createQueue(api, { pile, onState, onDropped, onAway }) {
  const mine = new Map(); // this window's answers by client_id: { entry, stored, settle }
  let here = null; // the study that is served, as far as is known
  let sending = null;
  let wake = () => {};

  // -- what lies in the browser --------------------------------------------------------------

  function keep(entry) {
    try {
      localStorage.setItem(PREFIX + entry.body.client_id, JSON.stringify(entry));
      return true;
    } catch {
      return false; // without storage an answer lives as long as the page
    }
  }

  function stored() {
    const found = new Map();
    try {
      for (const key of Object.keys(localStorage)) {
        if (!key.startsWith(PREFIX)) continue;
        const entry = JSON.parse(localStorage.getItem(key));
        if (entry) found.set(entry.body.client_id, entry);
      }
    } catch {
      // Nothing can be read: only what this window holds is known.
    }
    return found;
  }

  function waiting() {
    const found = stored();
    for (const [id, { entry, stored: written }] of mine) {
      if (found.has(id)) continue;
      if (written) settle(id, null); // another window has seen to it
      else found.set(id, entry);
    }
    return [...found.values()].sort((one, other) => one.at - other.at);
  }

  function settle(id, reply) {
    mine.get(id)?.settle(reply);
    mine.delete(id);
  }

  function remove(entry, reply) {
    try {
      localStorage.removeItem(PREFIX + entry.body.client_id);
    } catch {
      // Then it was never there.
    }
    settle(entry.body.client_id, reply);
  }

  const isAway = (entry) => here !== null && studyOf(entry.body) !== here;

  // -- sending -------------------------------------------------------------------------------

  async function sendAll() {
    let pause = FIRST_PAUSE;
    for (;;) {
      const { stuck, moved } = await sendRound();
      const all = waiting();
      onAway(all.filter(isAway));
      onState({ error: stuck, waiting: all.filter((entry) => !isAway(entry)).length });
      if (!stuck && all.every(isAway)) {
        sending = null; // at once: what is sent from here on begins anew
        return;
      }
      if (!stuck) continue;
      pause = moved ? FIRST_PAUSE : pause;
      await nap(stuck, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }

  // Once through all that waits; what is the matter with the server ends the round.
  async function sendRound() {
    let stuck = null;
    let moved = false;
    for (const entry of waiting()) {
      if (isAway(entry)) {
        settle(entry.body.client_id, null); // it goes on waiting, the person does not
        continue;
      }
      try {
        remove(entry, await api[entry.kind](entry.body));
        moved = true;
      } catch (error) {
        if (error.study !== undefined) {
          here = error.study;
          settle(entry.body.client_id, null);
        } else if (isFinal(error)) {
          onDropped(entry, error);
          remove(entry, null);
        } else {
          stuck = error;
          if (!(error.status >= 500)) break;
        }
      }
    }
    return { stuck, moved };
  }

  function nap(error, pause) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseAfter(error, pause));
      wake = () => {
        if (error.status === 429) return; // who asks for time gets it
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function reportFormer() {
    try {
      const former = JSON.parse(localStorage.getItem(FORMER)) ?? [];
      localStorage.removeItem(FORMER);
      const reason = new Error("it does not say which items were shown");
      for (const _ of former) onDropped({ about: "An answer from before this page was renewed" }, reason);
    } catch {
      // There were none.
    }
  }

  // Another window has taken an answer away, or somebody has come back to this one.
  addEventListener("storage", () => wake());
  addEventListener("focus", () => wake());
  addEventListener("online", () => wake());

  return {
    // Resolves with the server's reply once the answer is kept there, or with null when it never
    // will be, waits for another study, or was sent by another window.
    send(kind, body, about) {
      const entry = { kind, about, pile: pile(), at: performance.timeOrigin + performance.now(), body: { ...body, client_id: newId() } };
      return new Promise((resolve) => {
        mine.set(entry.body.client_id, { entry, stored: keep(entry), settle: resolve });
        this.flush();
      });
    },
    // Resolves once nothing waits that could be sent here.
    flush() {
      reportFormer();
      sending ??= sendAll();
      return sending;
    },
    // The server has said which study it serves.
    arrive(study) {
      const isNew = here !== null && here !== study;
      here = study;
      if (isNew) this.flush();
    },
    get length() {
      return waiting().filter((entry) => !isAway(entry)).length;
    },
  };
}

export function newId() {
  // randomUUID exists only where the page is served securely or from this computer.
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}
