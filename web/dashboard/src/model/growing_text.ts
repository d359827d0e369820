// A message that is told in pieces: each `message` event holds all of it so far, each `delta` the next piece. Whatever
// order they are taken in, the text is the newest whole and the pieces behind it.
export class GrowingText {
  private whole = "";
  private wholeAt = -1;
  private pieces: { index: number; text: string }[] = [];

  setWhole(index: number, text: string): void {
    if (index <= this.wholeAt) return;
    this.whole = text;
    this.wholeAt = index;
    if (this.pieces.length > 0) this.pieces = this.pieces.filter((piece) => piece.index > index);
  }

  addPiece(index: number, text: string): void {
    if (index <= this.wholeAt) return;
    let at = this.pieces.length;
    while (at > 0 && this.pieces[at - 1]!.index > index) at -= 1;
    this.pieces.splice(at, 0, { index, text });
  }

  get text(): string {
    return this.pieces.length === 0 ? this.whole : this.whole + this.pieces.map((piece) => piece.text).join("");
  }
}
