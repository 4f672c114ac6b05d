/** @jsxImportSource @kitajs/html */

interface Choice {
  words: string;
  /** The words for screen readers if they are longer, such as "20 metres" for "20". */
  label?: string;
  href: string;
  count?: string;
  isHere: boolean;
}

interface ChoicesProps {
  label: string;
  choices: readonly Choice[];
}

/** One choice out of few, as links. */
export const Segments = ({ label, choices }: ChoicesProps) => (
  <Choices look="segments" label={label} choices={choices} />
);

/** The parts of a page, each with its count. */
export const Tabs = ({ label, choices }: ChoicesProps) => <Choices look="tabs" label={label} choices={choices} />;

const Choices = ({ look, label, choices }: ChoicesProps & { look: string }) => (
  <nav class={look} aria-label={label}>
    {choices.map(({ words, label: spoken, href, count, isHere }) => (
      <a href={href} aria-label={spoken} aria-current={isHere ? "page" : undefined}>
        <span safe>{words}</span> {count !== undefined && <small safe>{count}</small>}
      </a>
    ))}
  </nav>
);
