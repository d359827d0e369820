// Text as a person must see it before approving it: nothing in it is invisible, nothing looks like a space and is none, and nothing
// changes how the rest is shown. The terminal has the same table: src/base/text/visible.cpp.

const kRanges = "0-8,a-1f,7f-a0,ad,34f,600-605,61c,6dd,70f,890-891,8e2,115f-1160,1680,17b4-17b5,180b-180f,2000-200f,"
  + "2028-202f,205f-206f,2800,3000,3164,e000-f8ff,fe00-fe0f,feff,ffa0,fff0-fffb,110bd,110cd,13430-1343f,"
  + "1bca0-1bca3,1d173-1d17a,e0000-e0fff,f0000-ffffd,100000-10fffd"; // hexadecimal
const kHidden = new RegExp(`[${kRanges.replace(/[0-9a-f]+/g, "\\u{$&}").replaceAll(",", "")}\\u{d800}-\\u{dfff}]`, "gu");

// Controls (line breaks too), direction marks, characters without ink and private ones become ⟨U+202E⟩, and a tab ⇥ with
// three spaces.
export function exact(text: string): string {
  const shown = text.replace(kHidden, (hidden) => `\u27e8U+${hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}\u27e9`);
  return shown.replaceAll("\t", "\u21e5   ");
}
