// A message that arrives in pieces: each `message` event has the text so far, each `delta` the next piece. The text is the newest
// full text and the pieces after it, in any order of arrival.
export class StreamedText {
  private full = "";
  private fullIndex = -1;
  private pieces: { index: number; text: string }[] = [];

  setFull(index: number, text: string): void {
    if (index <= this.fullIndex) return;
    this.full = text;
    this.fullIndex = index;
    if (this.pieces.length > 0) this.pieces = this.pieces.filter((piece) => piece.index > index);
  }

  addPiece(index: number, text: string): void {
    if (index <= this.fullIndex) return;
    let at = this.pieces.length;
    while (at > 0 && this.pieces[at - 1]!.index > index) at -= 1;
    this.pieces.splice(at, 0, { index, text });
  }

  get text(): string {
    return this.pieces.length === 0 ? this.full : this.full + this.pieces.map((piece) => piece.text).join("");
  }
}
