import { useState } from "preact/hooks";
import { inventName } from "../../net/name.ts";
import { savedName, saveName } from "../../net/storage.ts";
import { Icon } from "../../ui/icons.tsx";

/** The name under which one plays; kept in this browser. */
export function NameField() {
  const [name, setName] = useState(() => savedName() ?? inventName());
  const keep = (text: string) => {
    const clean = text.replace(/\s+/g, " ").trim().slice(0, 32);
    const kept = clean === "" ? inventName() : clean;
    saveName(kept);
    setName(kept);
  };
  return (
    <label class="name-field">
      <Icon name="person" size={17} />
      <span class="sr-only">Your name</span>
      <input
        value={name}
        maxLength={32}
        autocomplete="nickname"
        spellcheck={false}
        size={Math.max(8, name.length)}
        onInput={(event) => setName(event.currentTarget.value)}
        onBlur={(event) => keep(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
      <Icon name="pencil" size={15} />
    </label>
  );
}
