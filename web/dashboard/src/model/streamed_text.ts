// A message that arrives in pieces: each `message` event has the text so far, each `delta` the next piece. The text is the newest
// full text and the pieces after it, in any order of arrival.
export class StreamedText {
  private full = "";
  private fullIndex = -1;
  private pieces: { index: number; text: string }[] = [];
  private joined = "";
  private isJoined = true;

  setFull(index: number, text: string): void {
    if (index <= this.fullIndex) return;
    this.full = text;
    this.fullIndex = index;
    if (this.pieces.length > 0) this.pieces = this.pieces.filter((piece) => piece.index > index);
    this.isJoined = false;
  }

  addPiece(index: number, text: string): void {
    if (index <= this.fullIndex) return;
    let at = this.pieces.length;
    while (at > 0 && this.pieces[at - 1]!.index > index) at -= 1;
    if (at === this.pieces.length) this.joined += text;
    else this.isJoined = false;
    this.pieces.splice(at, 0, { index, text });
  }

  get text(): string {
    if (!this.isJoined) this.joined = this.full + this.pieces.map((piece) => piece.text).join("");
    this.isJoined = true;
    return this.joined;
  }
}
