/** The HTML that LoTW sends instead of a report. Clients recognise certain phrases, so those are LoTW's own. */

export function renderLoginPage(): string {
  return page(
    "Login",
    `<form method="post" action="/lotwuser/login"><p><I>Username/password incorrect</I></p>
<p>Username <input name="login"> Password <input name="password" type="password"></p></form>`,
  );
}

export function limitPage(): string {
  return page(
    "Error",
    `<B>Page Request Limit!</B>
<p>Only one page request per user at a time is allowed. Please allow sufficient time for the previous page(s) to finish loading ` +
      "before submitting any further requests.</p>",
  );
}

export function renderRefusalPage(reason: string): string {
  return page("Query", `<p>The query could not be answered: ${reason}.</p>`);
}

export function renderStatusPage(status: number): string {
  return page(String(status), `<h1>${status}</h1><p>The server cannot answer now.</p>`);
}

/** A maintenance page. The tempting one contains words that a careless client would mistake for a report. */
export function renderMaintenancePage(tempting: boolean): string {
  const bait = tempting ? "<pre>ARRL Logbook of the World Status Report <eoh> <APP_LoTW_EOF></pre>" : "";
  return page("Maintenance", `<p>Logbook of the World is being looked after. Please come back later.</p>${bait}`);
}

function page(title: string, content: string): string {
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body>\n${content}\n</body></html>\n`;
}
