/** @jsxImportSource @kitajs/html */
import { BAND_NAMES } from "../../src/domain/radio/band.ts";
import { Goal } from "../../views/charts/meter.tsx";
import { Months } from "../../views/charts/months.tsx";
import { Band } from "../../views/partials/contacts/band.tsx";
import { Badge, type BadgeKind } from "../../views/partials/badge.tsx";
import { Figure } from "../../views/partials/figure.tsx";
import { Mark, SlotMark } from "../../views/partials/contacts/mark.tsx";
import { Segments, Tabs } from "../../views/partials/choices.tsx";
import { Empty, Fold, Lead } from "../../views/partials/lead.tsx";
import type { Say } from "./canned.ts";

const BADGES: readonly BadgeKind[] = ["good", "warn", "bad", "busy", "idle", "new", "slot"];

/** The components that pages share, in all their states. */
export const Components = ({ say }: { say: Say }) => (
  <>
    <h1>Components</h1>
    {(["good", "wait", "bad", "info"] as const).map((kind) => (
      <Lead kind={kind} title={say(`A sentence that is ${kind}`)} action={<button>Sync now</button>}>
        <p>The reason, and what follows from it.</p>
      </Lead>
    ))}
    <section class="card">
      <h2>States</h2>
      <p class="buttons">
        {BADGES.map((kind) => (
          <Badge kind={kind} words={say(kind)} />
        ))}
      </p>
      <p>
        {(["C", "W", "–"] as const).map((mark) => (
          <Mark of={mark} name={say("LoTW")} />
        ))}
        <SlotMark state="confirmed" of={say("20m")} /> <SlotMark state="worked" of={say("40m")} isHere />{" "}
        <SlotMark state={null} of={say("80m")} />
      </p>
      <p class="buttons">
        {BAND_NAMES.map((name) => (
          <Band band={name} />
        ))}
      </p>
    </section>
    <section class="card">
      <h2>Goals</h2>
      <Goal name={say("DXCC")} href="awards/dxcc" confirmed={140} worked={163} goal={150} from={100} />
    </section>
    <figure class="card">
      <figcaption>
        <h2>Steps by rank</h2>
      </figcaption>
      <Months
        months={Array.from({ length: 24 }, (_, month) => `20${24 + Math.floor(month / 12)}-${(month % 12) + 1}`)}
        bands={["40m", "20m", "15m"].map((band, row) => ({
          band,
          counts: Array.from({ length: 24 }, (_, month) =>
            row === 1 && month === 20 ? 400 : (month * (row + 3)) % 11,
          ),
        }))}
      />
    </figure>
    <section class="card">
      <h2>Choices</h2>
      <Segments
        label="Bands"
        choices={[
          { words: "All", href: "awards", isHere: true },
          { words: "20", label: "20 metres", href: "awards?band=20m", isHere: false },
        ]}
      />
      <Tabs
        label="Parts"
        choices={[
          { words: "Waiting", count: "23", href: "awards", isHere: true },
          { words: "Needed", count: "177", href: "awards?show=needed", isHere: false },
        ]}
      />
      <Fold summary={say("Sources of the values")} note={say("16 from your file")} isOpen>
        <p>Details.</p>
      </Fold>
      <dl class="figures">
        <Figure name="QSOs" value="3,283" isHero />
      </dl>
      <Empty words={say("No contacts match.")} action={<a href="log">Clear search</a>} />
    </section>
  </>
);
