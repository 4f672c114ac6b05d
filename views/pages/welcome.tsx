export const Welcome = () => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>qsolog</title>
    </head>
    <body>
      <main>
        <h1>qsolog</h1>
        <p>A contact log service for radio amateurs: multi-user, self-hosted, terminal-first.</p>
        <p>
          This server is running. The command line speaks to the same log: try <code>qsolog --help</code>.
        </p>
      </main>
    </body>
  </html>
);
