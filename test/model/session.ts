import type { Service } from "../../src/domain/jobs/source.ts";
import type { LotwQso, QrzRecord } from "../../src/simulated/store.ts";
import { randomOf } from "../support/chance.ts";
import { assertAsTheModel, assertSame, Difference, rowOfLine, describeContact } from "./checks.ts";
import { HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { nextContact, type RealContact } from "./contacts.ts";
import type { Fault } from "./faults.ts";
import { LogModel, type CountedRow, type LogContact } from "./log-model.ts";
import type { Job, Line, Picture, Program } from "./program.ts";

export type Operation = (s: Session) => Promise<void>;

export const assertCompleted = ({ id, status, error }: Job): void =>
  assertSame(`Job ${id} (${error?.message ?? "no error"})`, status, "completed");

export const count = <T>(list: readonly T[], one: T): number => list.filter((other) => other === one).length;

/** A job that can still be taken back. */
export interface PastJob {
  id: number;
  kind: "file" | "feed" | "repair" | "first" | "second";
  /** The contacts that it deleted, as they were before. */
  deleted: LogContact[];
}

/** Two contacts that a person merged. */
interface Merger {
  jobId: number;
  ids: readonly number[];
  /** What the program showed after the merge. The model does not predict it, but it must not change until the undo. */
  row: CountedRow;
}

interface Mark {
  at: number;
  picture: Picture;
}

/** The state of one run: the program, the model, what the services have, and what was recorded. */
export class Session {
  readonly program: Program;
  /** Faults that are looked for. */
  readonly #lookFor: ReadonlySet<Fault>;
  readonly model = new LogModel();
  /** What the services have, by the contact of the model. */
  readonly atFirst = new Map<number, LotwQso>();
  readonly atSecond = new Map<number, QrzRecord>();
  readonly jobs: PastJob[] = [];
  readonly mergers: Merger[] = [];
  /** Imported files, to import them again later. */
  readonly files: { ids: number[]; records: Record<string, string>[] }[] = [];
  readonly marks: Mark[] = [];
  readonly trace: string[] = [];
  counter = 0;
  #random = randomOf(1);

  constructor(program: Program, lookFor: ReadonlySet<Fault>) {
    this.program = program;
    this.#lookFor = lookFor;
  }

  /** Each step has its own random numbers, so that skipping a step changes the others as little as possible. */
  beginStep(seed: number, step: number): void {
    this.#random = randomOf(seed * 1_000_003 + step);
    for (let warm = 0; warm < 3; warm++) this.#random();
  }

  /** From 0 up to 1. */
  random = (): number => this.#random();
  draw = <T>(list: readonly T[]): T => list[Math.floor(this.#random() * list.length)]!;
  chance = (of: number): boolean => this.#random() < of;
  upTo = (most: number): number => 1 + Math.floor(this.#random() * most);

  say(text: string): void {
    this.trace.push(text);
  }

  nameOf(contact: { id: number }): string {
    return describeContact(this.model.realOf(contact));
  }

  namesOf(contacts: readonly { id: number }[]): string {
    return contacts.map((contact) => this.nameOf(contact)).join("; ");
  }

  /** A text that no other record has. */
  newText(kind: string): string {
    return `${kind} ${++this.counter}`;
  }

  /** A new contact that nobody has reported yet. */
  newContact(change: (real: RealContact) => RealContact = (real) => real): LogContact {
    return this.model.add(change(nextContact(this.model.real, this.draw)));
  }

  realOf(contact: { id: number }): RealContact {
    return this.model.realOf(contact);
  }

  /** Chooses some contacts for which `is` holds, some of them new. */
  some(most: number, is: (contact: LogContact, real: RealContact) => boolean, fresh = 0.5): LogContact[] {
    const chosen = new Set<LogContact>();
    for (let left = this.upTo(most); left > 0; left--) {
      if (this.chance(fresh)) this.newContact();
      const able = this.model.all.filter((one) => !one.isHeld && is(one, this.realOf(one)));
      if (able.length > 0) chosen.add(this.chance(0.5) ? able.at(-1)! : this.draw(able));
    }
    return [...chosen];
  }

  one(is: (contact: LogContact, real: RealContact) => boolean): LogContact | null {
    const able = this.model.all.filter((one) => !one.isHeld && is(one, this.realOf(one)));
    return able.length === 0 ? null : this.draw(able);
  }

  /** Whether to avoid a known fault of the program, unless it is looked for. */
  steersAround(fault: Fault): boolean {
    return !this.#lookFor.has(fault);
  }

  isThere = (contact: LogContact): boolean => this.model.isThere(contact);

  /** The rows that the program must show. */
  rows(): CountedRow[] {
    const merged = new Set(this.mergers.flatMap(({ ids }) => ids));
    const single = this.model.inLog.filter(({ id }) => !merged.has(id));
    return [...single.map((contact) => this.model.rowOf(contact)), ...this.mergers.map(({ row }) => row)];
  }

  /** The ids of contacts in the program, by their ids in the model. */
  async numbers(): Promise<Map<number, number>> {
    const numbers = new Map<number, number>();
    for (const line of await this.program.lines()) {
      const contact = this.contactOf(line);
      if (contact) numbers.set(contact.id, line.id);
    }
    return numbers;
  }

  async numberOf({ id }: LogContact): Promise<number> {
    const number = (await this.numbers()).get(id);
    if (number === undefined) throw new Difference(`${this.nameOf({ id })} is not in the log`);
    return number;
  }

  contactOf(line: Pick<Line, "call" | "band" | "startedAt" | "modeGroup">): LogContact | undefined {
    const distance = ({ at }: RealContact) => Math.abs(at - line.startedAt);
    const [real] = this.model.real
      .filter(({ call, band, group }) => call === line.call && band === line.band && group === line.modeGroup)
      .filter((one) => distance(one) < 10 * MINUTE)
      .sort((a, b) => distance(a) - distance(b));
    return real && this.model.get(real.id);
  }

  /** Compares the program with the model and records its answers. Then time passes. */
  async endStep(): Promise<void> {
    const picture = await this.program.picture();
    assertAsTheModel(picture, this.rows());
    this.marks.push({ at: this.program.clock(), picture });
    this.program.clock.advance(this.draw([2, 20, 70]) * HOUR + this.upTo(500) * 1_000);
  }

  /** Asks for the log as of earlier moments, which must be what was recorded then. */
  async checkMarks(most: number): Promise<void> {
    const all = this.marks;
    const marks = most >= all.length ? all : Array.from({ length: most }, () => this.draw(all));
    for (const { at, picture } of marks) {
      const now = await this.program.picture(at);
      const when = new Date(at).toISOString();
      for (const part of ["log", "statistics", "awards"] as const) {
        assertSame(`The ${part} as of ${when} is not what it was`, now[part], picture[part]);
      }
    }
  }

  /** Takes the last job back: the export must be the same as before it, byte for byte. */
  async takeBackImmediately(jobId: number, before: { log: string; model: LogContact[] }, undo: boolean): Promise<void> {
    this.say(`  and take job ${jobId} back at once`);
    await this.takeBack(jobId, undo);
    this.model.restore([...before.model, ...this.model.copy().slice(before.model.length)]);
    for (const contact of this.model.all.slice(before.model.length)) this.model.remove(contact);
    assertSame(`Taking job ${jobId} back left something`, await this.program.log(), before.log);
  }

  /** Takes a job back. The preview must say what happens. */
  async takeBack(jobId: number, undo: boolean): Promise<void> {
    const { program } = this;
    const linesBefore = new Map((await program.lines()).map((line) => [line.id, line]));
    const preview = await program.takeBackPreview(jobId, undo);
    const result = await program.takeBack(jobId, undo);
    const { deleted, restored, keptTotal: kept, later } = preview;
    assertSame(`The preview of taking job ${jobId} back`, { deleted, restored, kept, later }, result);
    const linesAfter = new Map((await program.lines()).map((line) => [line.id, line]));
    const gone = [...linesBefore.keys()].filter((id) => !linesAfter.has(id)).sort();
    assertSame(
      `The contacts that go with job ${jobId}`,
      gone,
      preview.contacts.deleted.map((one: { qsoId: number }) => one.qsoId).sort(),
    );
  }

  async snapshot(): Promise<{ log: string; model: LogContact[] }> {
    return { log: await this.program.log(), model: this.model.copy() };
  }

  /** Describes a merged contact as the program shows it. */
  observed(line: Line, real: RealContact): CountedRow {
    const details = line.first?.details as Record<string, string> | undefined;
    const hasDetails = details?.CQZ !== undefined && line.first.confirmed;
    return {
      ...rowOfLine(line),
      firstState: hasDetails ? (real.states?.first ?? null) : null,
      firstZone: hasDetails ? real.zone : null,
    };
  }

  serviceRecords(service: Service): Map<number, LotwQso | QrzRecord> {
    return service === "first" ? this.atFirst : this.atSecond;
  }
}
