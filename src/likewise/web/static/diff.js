// Which words two texts do not share, by their longest common subsequence.

const ALIKE = 0.2; // with fewer words in common, marks would cover everything and tell nothing
const LONGEST = 600; // words; beyond that the table would be too large and sets have to do

export function words(text) {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

// For each side a list of [piece, whether it is to be left unmarked]: it is in both, or little is.
export function difference(left, right) {
  const a = words(left);
  const b = words(right);
  const blank = (word) => /^\s+$/.test(word);
  const one = a.filter((word) => !blank(word));
  const other = b.filter((word) => !blank(word));
  const [inLeft, inRight] =
    one.length > LONGEST || other.length > LONGEST ? bySets(one, other) : bySequence(one, other);
  const common = inLeft.filter(Boolean).length + inRight.filter(Boolean).length;
  if (common < ALIKE * (one.length + other.length)) return [[[left, true]], [[right, true]]];
  const marked = (pieces, shared) => {
    let k = 0;
    return pieces.map((piece) => [piece, blank(piece) || shared[k++]]);
  };
  return [marked(a, inLeft), marked(b, inRight)];
}

function bySets(one, other) {
  const low = (list) => new Set(list.map((word) => word.toLowerCase()));
  const left = low(one);
  const right = low(other);
  return [one.map((word) => right.has(word.toLowerCase())), other.map((word) => left.has(word.toLowerCase()))];
}

function bySequence(one, other) {
  const x = one.map((word) => word.toLowerCase());
  const y = other.map((word) => word.toLowerCase());
  const width = y.length + 1;
  const length = new Uint16Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = y.length - 1; j >= 0; j--) {
      length[i * width + j] =
        x[i] === y[j]
          ? length[(i + 1) * width + j + 1] + 1
          : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  const inLeft = x.map(() => false);
  const inRight = y.map(() => false);
  let i = 0;
  let j = 0;
  while (i < x.length && j < y.length) {
    if (x[i] === y[j]) {
      inLeft[i++] = inRight[j++] = true;
    } else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++;
    else j++;
  }
  return [inLeft, inRight];
}
