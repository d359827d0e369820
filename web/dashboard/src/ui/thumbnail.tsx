// A small picture of an image file. It is drawn on a canvas: the page's policy loads images from the server only.
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons";

const kSize = 40; // px
const kMaxBytes = 20 << 20;

export function Thumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isImage = file.type.startsWith("image/") && file.size <= kMaxBytes;
  const [isShown, setShown] = useState(isImage);
  useEffect(() => {
    if (!isImage) return;
    let isStale = false;
    createImageBitmap(file, { resizeHeight: 2 * kSize, resizeQuality: "medium" }).then((bitmap) => {
      const target = canvas.current;
      if (!isStale && target) {
        const scale = Math.max(target.width / bitmap.width, target.height / bitmap.height);
        const [width, height] = [bitmap.width * scale, bitmap.height * scale];
        target.getContext("2d")?.drawImage(bitmap, (target.width - width) / 2, (target.height - height) / 2, width, height);
      }
      bitmap.close();
    }).catch(() => !isStale && setShown(false)); // it is no image that the browser knows
    return () => { isStale = true; };
  }, [file]);
  return isShown ? <canvas ref={canvas} class="thumbnail" width={2 * kSize} height={2 * kSize} aria-hidden="true" /> : <Icon name="file" />;
}
