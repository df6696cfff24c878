// What to say to the person when an answer cannot be sent, or a request was refused.

import { plural } from "./dom.js";

export const notKept = (about, error) => `${about} was not kept: ${error.message}.`;

// What is the matter, and what to do about it.
export function troubleOf(error) {
  const { status, message, retryAfter } = error;
  if (status === undefined) return "No connection; trying again.";
  if (status === 401) return "The server no longer takes the token of this page: open the link that it printed last, in this browser.";
  if (status === 429) return retryAfter ? `The server asks to be left alone for ${plural(retryAfter, "second")}; trying again then.` : "The server asks to be left alone for a while; trying again.";
  if (status === 403 || status === 421) return `${sentence(message)} Open the page by the address that the server printed.`;
  if (status >= 500) return `${sentence(message)} Trying again.`;
  return sentence(message);
}

export const safe = (n) => (n ? ` ${plural(n, "answer")} wait${n === 1 ? "s" : ""} safely in this browser.` : "");

// Of answers that wait until another study is served at this address again.
export function awayLine(pile, n) {
  const named = pile ? `“${pile}”` : "another pile";
  return `${plural(n, "answer")} about ${named} wait${n === 1 ? "s" : ""} safely in this browser: another pile is served here now. ${n === 1 ? "It is" : "They are"} sent once ${pile ? named : "that pile"} is served here again.`;
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");

// What a step was that the server has taken back.
export const undone = ({ sentence }) => `Undone: ${sentence}.`;
