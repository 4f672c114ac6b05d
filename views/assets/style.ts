import tokens from "./style/tokens.css" with { type: "text" };
import base from "./style/base.css" with { type: "text" };
import layout from "./style/layout.css" with { type: "text" };
import cards from "./style/cards.css" with { type: "text" };
import figures from "./style/figures.css" with { type: "text" };
import tables from "./style/tables.css" with { type: "text" };
import badges from "./style/badges.css" with { type: "text" };
import forms from "./style/forms.css" with { type: "text" };
import charts from "./style/charts.css" with { type: "text" };
import awards from "./style/awards.css" with { type: "text" };
import chartCards from "./style/chart-cards.css" with { type: "text" };
import maps from "./style/maps.css" with { type: "text" };
import log from "./style/log.css" with { type: "text" };
import contacts from "./style/contacts.css" with { type: "text" };
import mediumScreens from "./style/medium-screens.css" with { type: "text" };
import smallScreens from "./style/small-screens.css" with { type: "text" };
import otherMedia from "./style/other-media.css" with { type: "text" };

/** The sections of the style sheet in order: for rules of equal specificity the later one wins. */
export const SECTIONS: Readonly<Record<string, string>> = {
  tokens,
  base,
  layout,
  cards,
  figures,
  tables,
  badges,
  forms,
  charts,
  log,
  contacts,
  mediumScreens,
  smallScreens,
  chartCards,
  maps,
  awards,
  otherMedia,
};

export const STYLE = Object.values(SECTIONS).join("\n");
