import { useEffect, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/// Offers a text as a file.
export function DownloadText({ text, name, title }: { text: string; name: string; title: string }) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <a class="button small" href={url} download={name}>
      <Icon name="download" /> {title}
    </a>
  );
}
