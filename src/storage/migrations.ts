import autoSyncDown from "../../migrations/0005_auto_sync.down.sql" with { type: "text" };
import autoSync from "../../migrations/0005_auto_sync.sql" with { type: "text" };
import base from "../../migrations/0001_base.sql" with { type: "text" };
import changes from "../../migrations/0002_changes.sql" with { type: "text" };
import administrator from "../../migrations/0003_administrator.sql" with { type: "text" };
import lastSeen from "../../migrations/0004_last_seen.sql" with { type: "text" };
import services from "../../migrations/0006_services.sql" with { type: "text" };
import gainCounts from "../../migrations/0008_gain_counts.sql" with { type: "text" };
import rollbacks from "../../migrations/0010_rollbacks.sql" with { type: "text" };
import pruned from "../../migrations/0007_pruned.sql" with { type: "text" };
import installation from "../../migrations/0011_installation.sql" with { type: "text" };
import ownPlace from "../../migrations/0013_own_place.sql" with { type: "text" };
import cards from "../../migrations/0012_cards.sql" with { type: "text" };
import accountEvents from "../../migrations/0015_account_events.sql" with { type: "text" };
import secondFactor from "../../migrations/0019_second_factor.sql" with { type: "text" };
import terminalSignIns from "../../migrations/0021_terminals.sql" with { type: "text" };
import contest from "../../migrations/0009_contest.sql" with { type: "text" };
import repairs from "../../migrations/0016_repairs.sql" with { type: "text" };
import feeds from "../../migrations/0017_feeds.sql" with { type: "text" };
import notices from "../../migrations/0018_notices.sql" with { type: "text" };
import logTallies from "../../migrations/0020_log_tallies.sql" with { type: "text" };
import fed from "../../migrations/0022_fed.sql" with { type: "text" };
import instances from "../../migrations/0023_instances.sql" with { type: "text" };
import identities from "../../migrations/0024_identities.sql" with { type: "text" };
import logYears from "../../migrations/0032_log_years.sql" with { type: "text" };
import logFigures from "../../migrations/0026_log_figures.sql" with { type: "text" };
import pasts from "../../migrations/0025_pasts.sql" with { type: "text" };
import qsoTexts from "../../migrations/0027_qso_texts.sql" with { type: "text" };
import tokenFactor from "../../migrations/0030_token_factor.sql" with { type: "text" };
import merged from "../../migrations/0028_merged.sql" with { type: "text" };
import jobRepeats from "../../migrations/0029_job_repeats.sql" with { type: "text" };
import jobAccounts from "../../migrations/0031_job_accounts.sql" with { type: "text" };
import shortChanges from "../../migrations/0033_short_changes.sql" with { type: "text" };
import alikeContacts from "../../migrations/0034_alike_contacts.sql" with { type: "text" };
import leaseHolders from "../../migrations/0035_lease_holders.sql" with { type: "text" };
import radios from "../../migrations/0036_radios.sql" with { type: "text" };
import layersApart from "../../migrations/0037_layers_apart.sql" with { type: "text" };
import logColumns from "../../migrations/0038_log_columns.sql" with { type: "text" };
import keptAnswers from "../../migrations/0039_kept_answers.sql" with { type: "text" };
import packedTexts from "../../migrations/0040_packed_texts.sql" with { type: "text" };
import plainColumns from "../../migrations/0041_plain_columns.sql" with { type: "text" };
import narrowNumbers from "../../migrations/0042_narrow_numbers.sql" with { type: "text" };
import heldLetters from "../../migrations/0043_held_letters.sql" with { type: "text" };
import ownLayers from "../../migrations/0046_own_layers.sql" with { type: "text" };
import plainReads from "../../migrations/0045_plain_reads.sql" with { type: "text" };
import columnFormat from "../../migrations/0044_column_format.sql" with { type: "text" };
import userFields from "../../migrations/0014_user_fields.sql" with { type: "text" };

export interface Migration {
  name: string;
  up: string;
  down?: string;
}

/** In the order they are applied. The texts are imported, so that the single executable carries them. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0001_base", up: base },
  { name: "0002_changes", up: changes },
  { name: "0003_administrator", up: administrator },
  { name: "0004_last_seen", up: lastSeen },
  { name: "0005_auto_sync", up: autoSync, down: autoSyncDown },
  { name: "0006_services", up: services },
  { name: "0007_pruned", up: pruned },
  { name: "0008_gain_counts", up: gainCounts },
  { name: "0009_contest", up: contest },
  { name: "0010_rollbacks", up: rollbacks },
  { name: "0011_installation", up: installation },
  { name: "0012_cards", up: cards },
  { name: "0013_own_place", up: ownPlace },
  { name: "0014_user_fields", up: userFields },
  { name: "0015_account_events", up: accountEvents },
  { name: "0016_repairs", up: repairs },
  { name: "0017_feeds", up: feeds },
  { name: "0018_notices", up: notices },
  { name: "0019_second_factor", up: secondFactor },
  { name: "0020_log_tallies", up: logTallies },
  { name: "0021_terminals", up: terminalSignIns },
  { name: "0022_fed", up: fed },
  { name: "0023_instances", up: instances },
  { name: "0024_identities", up: identities },
  { name: "0025_pasts", up: pasts },
  { name: "0026_log_figures", up: logFigures },
  { name: "0027_qso_texts", up: qsoTexts },
  { name: "0028_merged", up: merged },
  { name: "0029_job_repeats", up: jobRepeats },
  { name: "0030_token_factor", up: tokenFactor },
  { name: "0031_job_accounts", up: jobAccounts },
  { name: "0032_log_years", up: logYears },
  { name: "0033_short_changes", up: shortChanges },
  { name: "0034_alike_contacts", up: alikeContacts },
  { name: "0035_lease_holders", up: leaseHolders },
  { name: "0036_radios", up: radios },
  { name: "0037_layers_apart", up: layersApart },
  { name: "0038_log_columns", up: logColumns },
  { name: "0039_kept_answers", up: keptAnswers },
  { name: "0040_packed_texts", up: packedTexts },
  { name: "0041_plain_columns", up: plainColumns },
  { name: "0042_narrow_numbers", up: narrowNumbers },
  { name: "0043_held_letters", up: heldLetters },
  { name: "0044_column_format", up: columnFormat },
  { name: "0045_plain_reads", up: plainReads },
  { name: "0046_own_layers", up: ownLayers },
];
